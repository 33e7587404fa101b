import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { decodeLiteQuery } from '../../test/support/decodeLiteQuery.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../../test/support/fixtures.ts'
import { readPair } from '../../test/support/liteProofs.ts'
import { contextOf, findShardAccount, replayLocalnet } from '../../test/support/replayLocalnet.ts'
import { createTestMachine, sampleContext } from '../../test/support/vmSamples.ts'
import type { ContractState, MethodRun, RunContext } from '../chain/ports.ts'
import { type Cell, wholeSlice } from '../codec/cell/Cell.ts'
import { openCell, openSlice } from '../codec/cell/CellReader.ts'
import { sliceToCell } from '../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { decodeLiteAnswer, type LiteCall } from '../codec/tl/liteQuery.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { ZERO_CURRENCY } from '../codec/tlb/CurrencyCollection.ts'
import { readCommonMsgInfo } from '../codec/tlb/Message.ts'
import { readMsgAddressInt } from '../codec/tlb/MsgAddress.ts'
import type { ShardStateUnsplit } from '../codec/tlb/ShardState.ts'
import { decodeVmStack, encodeVmStack, type VmStack } from '../codec/tlb/VmStack.ts'
import { getMethodId, type VmValue } from '../codec/tlb/VmValue.ts'
import { type Address, parseAddress } from '../primitives/Address.ts'
import { masterchain } from '../primitives/BlockId.ts'
import { fromBase64 } from '../primitives/base64.ts'
import { getU64BE } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { formatShard, shardContains } from '../primitives/shard.ts'

const GAS_LIMIT = 1_000_000

/** The recorded network at one of its masterchain blocks: that state and those of the shards it names. */
type Height = { readonly context: RunContext; readonly states: readonly ShardStateUnsplit[] }

const heights = new Map<number, Height>()
const { machine } = await createTestMachine({ after })

/** Masterchain blocks at which questions were asked. */
const ASKED = [26, 40, 60, 300, 395, 400]

const loadHeights = (): void => {
  if (heights.size > 0) return
  const { masterchain_shards: tops } = readFixtureJson<{ masterchain_shards: Record<string, string[]> }>(
    'localnet/blocks/index.json',
  )
  const states = new Map<string, ShardStateUnsplit>()
  for (const { info, after: state } of replayLocalnet()) {
    if (info.workchain !== masterchain) {
      states.set(`${info.workchain}_${formatShard(info.shard)}_${info.seqno}`, state)
      continue
    }
    if (!ASKED.includes(info.seqno)) continue
    const shards = tops[info.seqno]!.map((name) => states.get(name)!)
    heights.set(info.seqno, { context: contextOf(state), states: [state, ...shards] })
  }
}

/** A contract at a height, or `undefined` where there is no code to run. */
const findContract = (height: Height, { workchain, hash }: Address): ContractState | undefined => {
  const prefix = getU64BE(hash, 0)
  const state = height.states.find(({ shard }) => shard.workchain === workchain && shardContains(shard.shard, prefix))
  const found = state === undefined ? undefined : findShardAccount([state], hash)
  const account = found === undefined ? undefined : openAccount(found.account)
  if (account?.kind !== 'account' || account.state.kind !== 'active') return undefined
  const { code, data } = account.state.init
  return { address: { workchain, hash }, code: code!, data: data!, balance: account.balance }
}

const run = (height: Height, contract: ContractState, methodId: number, stack: VmStack): Promise<MethodRun> =>
  machine.runMethod({ contract, methodId, stack, gasLimit: GAS_LIMIT, context: height.context, log: 'none' })

describe('answers of a liteserver', () => {
  test('every recorded get-method leaves the same bytes and exit code', async () => {
    loadHeights()
    const names: string[] = []
    for (const path of listFixtures('localnet/liteserver', '.json').filter((name) => name.includes('runSmcMethod'))) {
      const { request, response } = readPair(path)
      const call = decodeLiteQuery(request).call as LiteCall<'liteServer.runSmcMethod'>
      const answer = decodeLiteAnswer('liteServer.runSmcMethod', response)
      assert.ok(answer.ok)
      const { exitCode, result } = answer.result
      const height = heights.get(call.id.seqno)!
      const { workchain, id: hash } = call.account
      const contract = findContract(height, { workchain, hash })
      if (contract === undefined) {
        assert.equal(exitCode, -256, path)
        continue
      }
      const ran = await run(height, contract, Number(call.methodId), decodeVmStack(call.params))
      assert.deepEqual(
        { path, exitCode: ran.exitCode, result: toHex(encodeVmStack(ran.stack)) },
        { path, exitCode, result: toHex(result!) },
      )
      names.push(path)
    }
    assert.equal(names.length, 13)
  })
})

type Entry =
  | { readonly '@type': 'tvm.stackEntryNumber'; readonly number: { readonly number: string } }
  | { readonly '@type': 'tvm.stackEntryCell'; readonly cell: { readonly bytes: string } }
  | { readonly '@type': 'tvm.stackEntrySlice'; readonly slice: { readonly bytes: string } }
  | { readonly '@type': 'tvm.stackEntryTuple'; readonly tuple: { readonly elements: readonly Entry[] } }
  | { readonly '@type': 'tvm.stackEntryList'; readonly list: { readonly elements: readonly Entry[] } }

type Step = {
  readonly id: { readonly seqno: number }
  readonly function: { readonly account_address: { readonly account_address: string } }
}

type Recorded = {
  readonly request: {
    readonly body: readonly [
      Step,
      {
        readonly method: { readonly name?: string; readonly number?: number }
        readonly stack: readonly Entry[]
      },
    ]
  }
  readonly response: {
    readonly '@type': string
    readonly exit_code: number
    readonly gas_used: number
    readonly stack: readonly Entry[]
  }
}

const openBag = (text: string): Cell => decodeSingleBoc(fromBase64(text))

/** Arguments, as the client of the node writes them. */
const toValue = (entry: Entry): VmValue => {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return { kind: 'int', value: BigInt(entry.number.number) }
    case 'tvm.stackEntryCell':
      return { kind: 'cell', cell: openBag(entry.cell.bytes) }
    case 'tvm.stackEntrySlice':
      return { kind: 'slice', slice: wholeSlice(openBag(entry.slice.bytes)) }
    case 'tvm.stackEntryTuple':
      return { kind: 'tuple', items: entry.tuple.elements.map(toValue) }
    case 'tvm.stackEntryList':
      throw new Error('No recorded method takes a list.')
  }
}

/** Results in a form that can be compared. The client shows an empty list for null, which is how code spells one. */
const show = (value: VmValue): unknown => {
  switch (value.kind) {
    case 'int':
      return value.value.toString()
    case 'cell':
      return { cell: toHex(value.cell.hash()) }
    case 'slice':
      return { slice: toHex(sliceToCell(value.slice).hash()) }
    case 'null':
      return { list: [] }
    default:
      throw new Error(`No recorded method leaves a ${value.kind}.`)
  }
}

const showEntry = (entry: Entry): unknown => {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return entry.number.number
    case 'tvm.stackEntryCell':
      return { cell: toHex(openBag(entry.cell.bytes).hash()) }
    case 'tvm.stackEntrySlice':
      return { slice: toHex(openBag(entry.slice.bytes).hash()) }
    case 'tvm.stackEntryTuple':
      return { tuple: entry.tuple.elements.map(showEntry) }
    case 'tvm.stackEntryList':
      return { list: entry.list.elements.map(showEntry) }
  }
}

describe("answers of the node's client", () => {
  test('every recorded get-method leaves the same stack and exit code for the same gas', async () => {
    const folder = 'localnet/api-v2/tonlib/smc.runGetMethod'
    loadHeights()
    let compared = 0
    for (const path of listFixtures(folder, '.json')) {
      const { request, response } = readFixtureJson<Recorded>(path)
      if (response['@type'] !== 'smc.runResult') continue
      const [load, call] = request.body
      const height = heights.get(load.id.seqno)!
      const contract = findContract(height, parseAddress(load.function.account_address.account_address))
      if (contract === undefined) {
        assert.equal(response.exit_code, -13, path)
        continue
      }
      const { name, number } = call.method
      const methodId = name === undefined ? number! : getMethodId(name)
      const { exitCode, gasUsed, stack } = await run(height, contract, methodId, call.stack.map(toValue))
      assert.deepEqual(
        { path, exitCode, gasUsed, stack: stack.map(show) },
        { path, exitCode: response.exit_code, gasUsed: response.gas_used, stack: response.stack.map(showEntry) },
      )
      compared++
    }
    assert.equal(compared, 39)
  })
})

describe('contracts of the main network', () => {
  const folder = 'mainnet/contracts'
  const configPath = 'mainnet/configs/mainnet/config_20260513_b2c0d863.boc'

  const runNamed = (name: string, address: string, method: string): Promise<MethodRun> => {
    const code = decodeSingleBoc(readFixture(`${folder}/${name}.boc`))
    const data = decodeSingleBoc(readFixture(`${folder}/${name}.data.boc`))
    return machine.runMethod({
      contract: { address: parseAddress(address), code, data, balance: ZERO_CURRENCY },
      methodId: getMethodId(method),
      stack: [],
      gasLimit: GAS_LIMIT,
      context: sampleContext({ config: decodeSingleBoc(readFixture(configPath)), now: 1_778_681_725 }),
      log: 'none',
    })
  }

  test('a jetton wallet tells what stands in its data', async (t) => {
    if (!haveFixtures(t, folder)) return
    const name = 'megatonfi-wton/WtonWallet_c1227508'
    const r = openCell(decodeSingleBoc(readFixture(`${folder}/${name}.data.boc`)))
    const stored = {
      balance: r.readCoins(),
      owner: readMsgAddressInt(r),
      master: readMsgAddressInt(r),
      code: r.readRefCell(),
    }
    const address = 'EQAWj6jxQqzvrqHJyCDQplG2XAYUwgeFsWRQBIoFTSoRPYVz'
    const { exitCode, stack } = await runNamed(name, address, 'get_wallet_data')
    assert.equal(exitCode, 0)
    const [balance, owner, master, code] = stack
    assert.deepEqual(balance, { kind: 'int', value: stored.balance })
    assert.ok(owner?.kind === 'slice' && master?.kind === 'slice' && code?.kind === 'cell')
    assert.deepEqual(readMsgAddressInt(openSlice(owner.slice)), stored.owner)
    assert.deepEqual(readMsgAddressInt(openSlice(master.slice)), stored.master)
    assert.ok(code.cell.equals(stored.code))
  })

  test('the elector lists hundreds of participants, whose stakes add up', async (t) => {
    if (!haveFixtures(t, folder)) return
    const address = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF'
    const { exitCode, stack } = await runNamed('system/Elector_6217f872', address, 'participant_list_extended')
    assert.equal(exitCode, 0)
    const [, , , total, list] = stack
    let sum = 0n
    let count = 0
    for (let at = list; at?.kind === 'tuple'; at = at.items[1]) {
      const [entry] = at.items
      assert.ok(entry?.kind === 'tuple')
      const [, about] = entry.items
      assert.ok(about?.kind === 'tuple')
      const [stake] = about.items
      sum += stake?.kind === 'int' ? stake.value : 0n
      count++
    }
    assert.deepEqual(total, { kind: 'int', value: sum })
    assert.equal(count, 380)
  })
})

test('a refused external message is told as the node tells it', async () => {
  loadHeights()
  const { request, response } = readPair('localnet/liteserver/136-sendMessage-rejected.json')
  const call = decodeLiteQuery(request).call as LiteCall<'liteServer.sendMessage'>
  const answer = decodeLiteAnswer('liteServer.sendMessage', response)
  assert.ok(!answer.ok)
  const height = heights.get(400)!
  const { destination } = readCommonMsgInfo(openCell(decodeSingleBoc(call.body)))
  assert.ok(destination.kind === 'std')
  const state = height.states.find(
    ({ shard }) => shardContains(shard.shard, getU64BE(destination.hash, 0)) && shard.workchain === 0,
  )
  const run = await machine.runTransaction({
    account: findShardAccount([state!], destination.hash)!,
    cause: { kind: 'message', message: decodeSingleBoc(call.body) },
    lt: state!.genLt + 1n,
    context: height.context,
    ignoreSignatures: false,
    log: 'none',
  })
  assert.ok(run.kind === 'notAccepted')
  const [, told, log] =
    /\nexitcode=(.*), gas_used=0\nVM Log \(truncated\):\n\.\.\.(.*)/s.exec(answer.error.message) ?? []
  assert.equal(`${run.exitCode}, steps=${run.steps}`, told)
  assert.ok(run.log.endsWith(log!))
})
