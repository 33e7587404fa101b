"""pytonlib, which brings the C++ tonlib: the client that the hosted services are built on."""
import asyncio
import base64
import json
import os

from checks import expect, network, run_checks, until
from pytonlib import TonlibClient

with open(network["config"]) as file:
    config = json.load(file)

SHARD = -(2**63)
keystore = os.path.join(os.getcwd(), "keystore")
os.makedirs(keystore, exist_ok=True)


async def main():
    client = TonlibClient(ls_index=0, config=config, keystore=keystore, tonlib_timeout=30)

    async def check_sync():
        await client.init()
        head = await client.sync_tonlib()
        assert head["seqno"] > 1, head

    async def check_head():
        info = await client.get_masterchain_info()
        assert info["last"]["seqno"] > 1
        expect(info["init"]["seqno"], 0)

    async def check_blocks():
        seqno = (await client.get_masterchain_info())["last"]["seqno"]
        block = await client.lookup_block(-1, SHARD, seqno)
        header = await client.get_block_header(-1, SHARD, seqno)
        expect(header["id"]["root_hash"], block["root_hash"])
        by_lt = await client.lookup_block(-1, SHARD, lt=int(header["start_lt"]))
        expect(by_lt["seqno"], seqno)
        shards = await client.get_shards(seqno)
        [shard] = shards["shards"]
        proof = await client.get_shard_block_proof(shard["workchain"], int(shard["shard"]), shard["seqno"])
        expect(proof["@type"], "blocks.shardBlockProof")
        signatures = await client.get_masterchain_block_signatures(seqno)
        assert len(signatures["signatures"]) > 0
        sizes = await client.get_out_msg_queue_sizes()
        expect(len(sizes["shards"]), 2)

    async def check_states():
        state = await client.raw_get_account_state(network["elector"])
        assert int(state["balance"]) > 0 and state["code"] != ""
        generic = await client.generic_get_account_state(network["elector"])
        expect(generic["@type"], "fullAccountState")
        seqno = (await client.get_masterchain_info())["last"]["seqno"]
        await client.raw_get_account_state(network["elector"], seqno)
        nobody = await client.raw_get_account_state(network["nobody"])
        expect((int(nobody["balance"]), nobody["code"]), (-1, ""))
        cell = await client.get_shard_account_cell(network["elector"])
        assert cell["bytes"] != ""

    async def check_fees():
        message = network["estimate"]
        fees = await client.raw_estimate_fees(message["address"], base64.b64decode(message["bodies"][1]))
        assert fees["source_fees"]["gas_fee"] > 0, fees

    async def check_send():
        sent = await client.raw_send_message_return_hash(base64.b64decode(network["boc"]))
        expect(sent["@type"], "raw.extMessageInfo")

        async def received():
            return int((await client.raw_get_account_state(network["receiver"]))["balance"]) == 10**9

        await until("the delivery", received)

    async def check_history():
        own = await client.get_transactions(network["wallet"]["address"], limit=10)
        expect(len(own), 2)
        [received] = await client.get_transactions(network["receiver"], limit=10)
        expect(received["in_msg"]["message"], "for the tea")
        expect(received["in_msg"]["value"], str(10**9))
        sent = own[0]["out_msgs"][0]
        found = await client.try_locate_tx_by_incoming_message(sent["source"], sent["destination"], sent["created_lt"])
        expect(found["transaction_id"], received["transaction_id"])
        source = await client.try_locate_tx_by_outcoming_message(sent["source"], sent["destination"], sent["created_lt"])
        expect(source["transaction_id"], own[0]["transaction_id"])

    async def check_block_transactions():
        seqno = (await client.get_masterchain_info())["last"]["seqno"]
        short = await client.get_block_transactions(-1, SHARD, seqno, 10)
        full = await client.get_block_transactions_ext(-1, SHARD, seqno, 10)
        assert len(short["transactions"]) > 0
        expect(len(short["transactions"]), len(full["transactions"]))

    async def check_methods():
        result = await client.raw_run_method(network["wallet"]["address"], "seqno", [])
        expect((result["exit_code"], result["stack"]), (0, [["num", "0x1"]]))
        owner_wallet = await client.get_jetton_wallet_address(network["owner"], network["jetton"])
        data = await client.get_token_data(network["jetton"])
        expect(data["contract_type"], "jetton_master")
        wallet = await client.get_token_data(owner_wallet)
        expect(wallet["contract_type"], "jetton_wallet")
        missing = await client.raw_run_method(network["jetton"], "no_such_method", [])
        expect(missing["exit_code"], 11)

    async def check_config():
        param = await client.get_config_param(0)
        assert param["config"]["bytes"] != ""
        whole = await client.get_config_all()
        assert whole["config"]["bytes"] != ""

    async def check_libraries():
        result = await client.get_libraries([base64.b64encode(b"\1" * 32).decode()])
        expect(result["result"], [])

    async def check_refusals():
        try:
            result = await client.raw_send_message(bytes.fromhex(network["refused"]))
        except Exception:
            return
        expect(result["@type"], "error")

    await run_checks(
        [
            ("the proof chain from the zerostate to the newest block", check_sync),
            ("the newest block", check_head),
            ("blocks, shards, proofs, signatures and queues", check_blocks),
            ("account states, at the newest and at an earlier block", check_states),
            ("a message is sent and delivered", check_send),
            ("fees of a message", check_fees),
            ("transactions of accounts, and both ends of a message", check_history),
            ("transactions of a block", check_block_transactions),
            ("get-methods, and the data of a jetton", check_methods),
            ("the configuration", check_config),
            ("a library that does not exist", check_libraries),
            ("refusals arrive as such", check_refusals),
        ]
    )
    await client.close()


asyncio.run(main())
