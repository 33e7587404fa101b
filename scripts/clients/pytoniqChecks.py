"""pytoniq on the liteserver, with proofs checked."""
import asyncio
import json

from checks import expect, network, run_checks, until
from pytoniq import Address, LiteBalancer, LiteClient, WalletV4R2, begin_cell
from pytoniq.liteclient.client import LiteServerError, RunGetMethodError

with open(network["config"]) as file:
    config = json.load(file)

client = LiteClient.from_config(config, trust_level=1)
RECEIVER = Address(network["receiver"])
COMMENT = "for the tea"


async def check_head():
    info = await client.get_masterchain_info()
    assert info["last"]["seqno"] > 1
    expect(client.last_mc_block.workchain, -1)
    assert abs((await client.get_time())["now"] - network["time"]) < 3600


async def check_next_block():
    seqno = client.last_mc_block.seqno + 2
    info = await client.wait_masterchain_seqno(seqno, 30_000, "getMasterchainInfo", {})
    assert info["last"]["seqno"] >= seqno


async def check_blocks():
    head = client.last_mc_block
    found, header = await client.lookup_block(-1, -(2**63), head.seqno)
    expect(found.root_hash, head.root_hash)
    expect(header.info.seqno, head.seqno)
    by_time, _ = await client.lookup_block(-1, -(2**63), utime=header.info.gen_utime)
    assert by_time.seqno <= head.seqno
    by_lt, _ = await client.lookup_block(-1, -(2**63), lt=header.info.start_lt)
    expect(by_lt.seqno, head.seqno)
    block = await client.raw_get_block(found)
    expect(block.info.seqno, head.seqno)
    await client.raw_get_block_header(found)


async def check_shards():
    shards = await client.get_all_shards_info()
    expect([shard.workchain for shard in shards], [0])
    expect((await client.raw_get_block(shards[0])).info.seqno, shards[0].seqno)
    await client.get_shard_block_proof(shards[0])


async def check_wallet():
    wallet = await WalletV4R2.from_mnemonic(client, network["wallet"]["mnemonic"])
    expect(wallet.address, Address(network["wallet"]["address"]))
    expect(wallet.balance, network["wallet"]["balance"])
    await wallet.send_init_external()

    async def is_deployed():
        await wallet.update()
        return wallet.is_active

    await until("the wallet", is_deployed)
    expect(await wallet.get_seqno(), 1)
    body = begin_cell().store_uint(0, 32).store_snake_string(COMMENT).end_cell()
    message = wallet.create_wallet_internal_message(destination=RECEIVER, value=10**9, body=body)
    message.message.info.bounce = False
    await wallet.raw_transfer([message])

    async def has_paid():
        return await wallet.get_seqno() == 2

    await until("the payment", has_paid)
    expect(wallet.public_key.hex(), hex(await wallet.get_public_key())[2:].zfill(64))


async def check_history():
    async def received():
        return (await client.get_account_state(RECEIVER)).balance

    await until("the delivery", received)
    [transaction] = await client.get_transactions(RECEIVER, 10)
    body = transaction.in_msg.body.begin_parse()
    expect(body.load_uint(32), 0)
    expect(body.load_snake_string(), COMMENT)
    expect(transaction.in_msg.info.value_coins, 10**9)
    own = await client.get_transactions(network["wallet"]["address"], 10)
    expect(len(own), 3)
    _, blocks = await client.raw_get_transactions(RECEIVER, 1)
    one = await client.get_one_transaction(RECEIVER, transaction.lt, blocks[0])
    expect(one.lt, transaction.lt)
    listed = await client.raw_get_block_transactions(blocks[0])
    assert transaction.lt in [entry["lt"] for entry in listed]
    full = await client.raw_get_block_transactions_ext(blocks[0])
    assert transaction.cell.hash in [entry.cell.hash for entry in full]


async def check_accounts():
    account, shard_account = await client.raw_get_account_state(network["elector"])
    assert account.storage.balance.grams > 0
    assert shard_account.last_trans_lt >= 0
    nobody = await client.get_account_state(network["nobody"])
    expect((nobody.balance, nobody.is_active()), (0, False))


async def check_config():
    whole = await client.get_config_all()
    expect(whole[0].config_addr.hex() if hasattr(whole[0].config_addr, "hex") else whole[0].config_addr, "5" * 64)
    some = await client.get_config_params([8, 34])
    expect(sorted(some), [8, 34])


async def check_jetton():
    [supply, mintable, admin, content, code] = await client.run_get_method(network["jetton"], "get_jetton_data", [])
    assert supply > 0
    owner = begin_cell().store_address(Address(network["owner"])).end_cell().begin_parse()
    [wallet] = await client.run_get_method(network["jetton"], "get_wallet_address", [owner])
    [balance, *_] = await client.run_get_method(wallet.load_address(), "get_wallet_data", [])
    assert balance > 0


async def check_libraries():
    expect(await client.get_libraries([b"\1" * 32]), {("01" * 32): None})


async def check_refusals():
    try:
        await client.raw_send_message(bytes.fromhex(network["refused"]))
        raise AssertionError("the message was not refused")
    except LiteServerError as error:
        assert "external message" in error.message.lower() or error.code != 0, error
    try:
        await client.run_get_method(network["jetton"], "no_such_method", [])
        raise AssertionError("the method was not refused")
    except RunGetMethodError:
        pass


async def check_proof_chain():
    trusting = LiteClient.from_config(config, trust_level=0)
    await trusting.connect()
    try:
        assert trusting.last_mc_block.seqno > 1
        await trusting.raw_get_account_state(network["elector"])
    finally:
        await trusting.close()


async def check_balancer():
    balancer = LiteBalancer.from_config(config, trust_level=1)
    await balancer.start_up()
    try:
        assert (await balancer.get_account_state(network["elector"])).balance > 0
    finally:
        await balancer.close_all()


async def main():
    await client.connect()
    await run_checks(
        [
            ("the newest block and the time of the server", check_head),
            ("waiting for a block", check_next_block),
            ("blocks by seqno, time and lt, with their data and headers", check_blocks),
            ("shards, and the proof of a shard block", check_shards),
            ("a wallet is deployed and pays with a comment", check_wallet),
            ("transactions of accounts and of blocks, with proofs", check_history),
            ("account states, with proofs", check_accounts),
            ("the configuration, with proofs", check_config),
            ("get-methods of a jetton", check_jetton),
            ("a library that does not exist", check_libraries),
            ("refusals arrive as such", check_refusals),
            ("the proof chain from the zerostate to the newest block", check_proof_chain),
            ("the balancer", check_balancer),
        ]
    )
    await client.close()


asyncio.run(main())
