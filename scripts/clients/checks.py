"""Runs checks one after the other, and prints a line about each for scripts/clientMatrix.ts."""
import asyncio
import json
import os

TIMEOUT = 90

with open(os.environ["CLIENT_NETWORK"]) as file:
    network = json.load(file)


async def run_checks(checks):
    for name, check in checks:
        try:
            await asyncio.wait_for(check(), TIMEOUT)
            print(f"check\tpassed\t{name}", flush=True)
        # Some libraries throw what is no Exception.
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            print(f"check\tfailed\t{name}\t{reason}", flush=True)


async def until(what, ask):
    """Asks until the answer is true."""
    for _ in range(200):
        answer = await ask()
        if answer:
            return answer
        await asyncio.sleep(0.3)
    raise TimeoutError(f"waited in vain for {what}")


def expect(found, wanted):
    if found != wanted:
        raise AssertionError(f"expected {wanted!r}, but got {found!r}")
