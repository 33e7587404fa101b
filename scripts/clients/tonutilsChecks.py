"""tonutils 2: its HTTP client on v2, and its client of the liteserver."""
import asyncio

from checks import expect, network, run_checks, until
from ton_core import Address, NetworkGlobalID, begin_cell
from tonutils.clients import LiteClient, ToncenterClient
from tonutils.contracts import JettonMasterStandard, WalletV4R2
from tonutils.exceptions import ProviderResponseError, RunGetMethodError
from tonutils.types import ContractState

COMMENT = "for the tea"

http = ToncenterClient(NetworkGlobalID.MAINNET, base_url=network["v2"], rps_limit=100)
lite = LiteClient(
    NetworkGlobalID.MAINNET,
    ip=network["liteserver"]["host"],
    port=network["liteserver"]["port"],
    public_key=network["liteserver"]["key"],
)


def check_state(client):
    async def check():
        info = await client.get_info(network["elector"])
        expect(info.state, ContractState.ACTIVE)
        assert info.balance > 0
        nobody = await client.get_info(network["nobody"])
        expect((nobody.state, nobody.balance), (ContractState.NONEXIST, 0))

    return check


def check_wallet(client, which):
    async def check():
        words = network[which]["mnemonic"]
        receiver = network["receivers"][which]
        wallet, *_ = WalletV4R2.from_mnemonic(client, words)
        expect(wallet.address, Address(network[which]["address"]))
        await wallet.transfer(receiver, 10**9, COMMENT)

        async def has_paid():
            await wallet.refresh()
            return wallet.is_active

        await until("the payment", has_paid)

        async def received():
            return (await client.get_info(receiver)).balance

        expect(await until("the delivery", received), 10**9)
        await wallet.transfer(receiver, 10**9, COMMENT)

        async def has_paid_again():
            return await client.run_get_method(wallet.address, "seqno") == [2]

        await until("the second payment", has_paid_again)

        async def listed():
            return len(await client.get_transactions(receiver)) == 2

        await until("the second delivery", listed)
        newest, oldest = await client.get_transactions(receiver)
        body = newest.in_msg.body.begin_parse()
        expect(body.load_uint(32), 0)
        expect(body.load_snake_string(), COMMENT)
        assert newest.lt > oldest.lt
        expect([each.lt for each in await client.get_transactions(receiver, to_lt=oldest.lt)], [newest.lt])
        expect([each.lt for each in await client.get_transactions(receiver, from_lt=oldest.lt)], [oldest.lt])
        expect([each.lt for each in await client.get_transactions(receiver, limit=1)], [newest.lt])

    return check


def check_methods(client):
    async def check():
        master = await JettonMasterStandard.from_address(client, network["jetton"])
        supply, *_ = await master.get_jetton_data()
        assert supply > 0
        wallet = await master.get_wallet_address(network["owner"])
        balance, owner, *_ = await client.run_get_method(wallet, "get_wallet_data")
        assert balance > 0
        values = [5, -(2**200), begin_cell().store_uint(7, 8).end_cell()]
        back = await client.run_get_method(network["echo"], "echo", values)
        expect(back[:2], values[:2])
        expect(back[2].hash, values[2].hash)

    return check


def check_config(client):
    async def check():
        config = await client.get_config()
        assert 0 in config and 34 in config, sorted(config)

    return check


def check_refusals(client):
    async def check():
        try:
            await client.run_get_method(network["jetton"], "no_such_method")
            raise AssertionError("the method was not refused")
        except (RunGetMethodError, ProviderResponseError):
            pass
        try:
            await client.send_message(network["refused"])
            raise AssertionError("the message was not refused")
        except ProviderResponseError:
            pass

    return check


async def check_dns():
    # The name of the demo belongs to an account.
    from ton_core import DNSCategory

    for client in (http, lite):
        record = await client.dnsresolve(network["domain"], DNSCategory.WALLET)
        assert record is not None


async def check_blocks():
    info = await lite.get_masterchain_info()
    assert info.last.seqno > 1
    found, block = await lite.lookup_block(-1, -(2**63), seqno=info.last.seqno)
    # One is bytes, the other is text.
    expect(found.root_hash.hex(), info.last.root_hash)
    [shard] = await lite.get_all_shards_info(found)
    await lite.get_block_header(shard)
    await lite.get_block_transactions(shard)
    assert await lite.get_time() > 0
    assert await lite.get_version() > 0


async def main():
    await http.connect()
    await lite.connect()
    checks = []
    for name, client, wallet in (("v2", http, "wallet"), ("liteserver", lite, "wallet2")):
        checks += [
            (f"account states ({name})", check_state(client)),
            (f"a wallet is deployed by its first payment, pays with a comment and reads its history ({name})", check_wallet(client, wallet)),
            (f"get-methods of a jetton, and of a contract that returns what it was given ({name})", check_methods(client)),
            (f"the configuration ({name})", check_config(client)),
            (f"refusals arrive as such ({name})", check_refusals(client)),
        ]
    await run_checks([*checks, ("a DNS name (v2 and liteserver)", check_dns), ("blocks and shards (liteserver)", check_blocks)])
    await http.close()
    await lite.close()


asyncio.run(main())
