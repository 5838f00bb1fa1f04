 // ... existing code ...
 
 func parseItem(line string) (Item, error) {
 	parts := strings.Split(line, ";")
 	if len(parts) != 3 {
-		return Item{}, fmt.Errorf("want 3 fields, got %d", len(parts))
+		return Item{}, fmt.Errorf("want code;name;count, got %q", line)
 	}
-	count, err := strconv.Atoi(parts[2])
+	count, err := strconv.Atoi(strings.TrimSpace(parts[2]))
 	if err != nil {
 		return Item{}, err
 	}
 // ... existing code ...
