"""tonutils 0.5, the last line of it that has a client of v3."""
import asyncio

from checks import expect, network, run_checks, until
from pytoniq_core import Address
from tonutils.client import ToncenterV2Client, ToncenterV3Client
from tonutils.jetton import JettonMasterStandard
from tonutils.wallet import WalletV4R2

v3 = ToncenterV3Client(base_url=network["base"])
v2 = ToncenterV2Client(base_url=network["base"])


async def check_account():
    account = await v3.get_raw_account(network["elector"])
    expect(account.status.value, "active")
    assert account.balance > 0 and account.last_transaction_lt > 0
    assert account.code is not None and account.data is not None


async def check_wallet():
    wallet, *_ = WalletV4R2.from_mnemonic(v3, network["wallet"]["mnemonic"].split())
    expect(wallet.address, Address(network["wallet"]["address"]))
    expect(await wallet.balance(), network["wallet"]["balance"] / 10**9)
    await wallet.deploy()

    async def is_deployed():
        return await v3.get_account_balance(wallet.address) and await WalletV4R2.get_seqno(v3, wallet.address) == 1

    await until("the wallet", is_deployed)
    await wallet.transfer(destination=network["receiver"], amount=1, body="for the tea")

    async def received():
        return await v3.get_account_balance(network["receiver"])

    expect(await until("the delivery", received), 10**9)


async def check_methods():
    wallet = await JettonMasterStandard.get_wallet_address(v3, Address(network["owner"]), network["jetton"])
    balance, *_ = await v3.run_get_method(wallet.to_str(), "get_wallet_data")
    assert balance > 0


async def check_v2():
    account = await v2.get_raw_account(network["elector"])
    expect(account.status.value, "active")
    assert 0 in await v2.get_config_params()
    transactions = await v2.get_transactions(network["receiver"], 10)
    expect(len(transactions), 1)


asyncio.run(
    run_checks(
        [
            ("an account (v3)", check_account),
            ("a wallet is deployed and pays with a comment (v3)", check_wallet),
            ("get-methods of a jetton (v3)", check_methods),
            ("an account, its transactions and the configuration (v2)", check_v2),
        ]
    )
)
