# ... existing code ...


def demo():
    # ... existing code ...


def selftest():
    runner = Runner(FifoBackend(), workers=1)
    runner.submit("nothing", lambda: None)
    runner.start()
    return not runner.stop().failed


if __name__ == "__main__":
    demo()
    assert selftest()
