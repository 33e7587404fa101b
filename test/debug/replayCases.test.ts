import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { openAccount } from '../../src/codec/tlb/Account.ts'
import { openAccountBlocks } from '../../src/codec/tlb/Block.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { librariesType, simpleLibsType } from '../../src/codec/tlb/StateInit.ts'
import { fetchReplay } from '../../src/debug/replay/fetchReplay.ts'
import { NO_ACCOUNT } from '../../src/debug/replay/ReplayInputs.ts'
import { replayTransaction } from '../../src/debug/replay/replayTransaction.ts'
import { describeReplay } from '../../src/debug/result/describeReplay.ts'
import { contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { openState } from '../../src/devnet/liteserver/blockAccess.ts'
import type { Address } from '../../src/primitives/Address.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { listTransactions, serveStore } from '../support/debugLocalnet.ts'
import { haveFixtures } from '../support/fixtures.ts'
import { loadMainnetStore } from '../support/growingChain.ts'
import { MAINNET_BLOCK, readMainnetBlock } from '../support/mainnetBlock.ts'
import { address, amount } from '../support/sampleMessages.ts'
import { closeSharedMachine, shareMachine, startTestNetwork, type TestNetwork } from '../support/testNetwork.ts'
import { codeOf, libraryReference } from '../support/vmSamples.ts'

after(closeSharedMachine)

/** NEWC, STU 32, ENDC, POP c4: keeps a number. */
const KEEP = 'C8 CB1F C9 ED54'

const startWith = async (t: TestContext, code: Cell, data: Cell = emptyCell): Promise<TestNetwork> => {
  const network = await startTestNetwork(t)
  await place(network, code, data)
  return network
}

const place = (network: TestNetwork, code: Cell, data: Cell = emptyCell): Promise<void> =>
  network.controls.setAccount({
    address: address(0, 7),
    balance: amount(10_000_000_000n),
    state: { kind: 'active', init: contractInit(code, data) },
  })

const send = (network: TestNetwork, destination: Address = address(0, 7), value = 1_000_000_000n) =>
  network.controls.impersonate({
    source: address(0, 9),
    destination,
    value: amount(value),
    bounce: false,
    stateInit: undefined,
    body: emptyCell,
  })

/** Replays the last transaction of an account, and records it. */
const replayLast = async (network: TestNetwork, account: Address = address(0, 7)) => {
  const { store } = network
  const entry = [store.head!.id, ...store.shardTops]
    .filter(({ workchain }) => workchain === account.workchain)
    .map((id) => openShardAccounts(openState(store.findState(id)!).accounts).find(account.hash))
    .find((each) => each !== undefined)!
  const vm = await shareMachine()
  const served = await serveStore(store)
  try {
    const target = { address: account, lt: entry.lastTransLt, hash: entry.lastTransHash }
    const replay = await fetchReplay(served.chain, vm, target, { signal: AbortSignal.timeout(30_000) })
    const options = {
      window: { from: 0, count: 1000 },
      stack: 'diff',
      registers: false,
      cells: true,
      log: false,
    } as const
    const { recording } = await vm.recordTransaction(replay.call, options)
    return { replay, recording, described: describeReplay(replay, recording) }
  } finally {
    await served.close()
  }
}

test('recorded transactions of the main network are exact', async (t) => {
  if (!haveFixtures(t, MAINNET_BLOCK)) return
  const { info, extra, config, libraries, previousBlocks, findAccount } = readMainnetBlock()
  const dictionaries = libraries.map((root) => new Dict(librariesType, root))
  const source = {
    findLibrary: async (hash: Uint8Array) =>
      dictionaries.map((each) => each.find(hash)).find((found) => found !== undefined)?.lib,
    getPreviousBlocks: async () => previousBlocks,
  }
  const vm = await shareMachine()
  const { workchain, shard, seqno, startLt, genUtime } = info
  const id = { workchain, shard, seqno, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
  const block = { id, startLt, genUtime, randomSeed: extra.randSeed }
  const verdicts: Record<string, number> = {}
  const codes = new Set<string>()
  for (const [hash, { transactions }] of openAccountBlocks(extra).entries()) {
    const cells = transactions.entries()
    const before = findAccount(hash) ?? NO_ACCOUNT
    for (const [at, [lt]] of cells.entries()) {
      const address = { workchain, hash }
      const earlier = cells.slice(0, at + 1).map(([, cell]) => cell)
      const inputs = { address, lt, block, previousBlock: id, master: id, config, before, transactions: earlier }
      const { verdict, call } = await replayTransaction(vm, inputs, source)
      const why = [verdict.replay, ...verdict.missing, ...verdict.differences.map(({ member }) => member)].join(' ')
      verdicts[why] = (verdicts[why] ?? 0) + 1
      const opened = openAccount(call.account.account)
      if (opened.kind === 'account' && opened.state.kind === 'active')
        codes.add(toHex(opened.state.init.code?.hash() ?? new Uint8Array()))
    }
  }
  t.diagnostic(`${JSON.stringify(verdicts)}, ${codes.size} code hashes`)
  assert.deepEqual(verdicts, { exact: 269 })
  assert.ok(codes.size > 10)
})

test('the first transactions of the main network differ only in gas, and the verdict says why', async (t) => {
  if (!haveFixtures(t, 'mainnet/archives/mainnet') || !haveFixtures(t, 'mainnet/states/mainnet')) return
  const store = await loadMainnetStore()
  const served = await serveStore(store)
  t.after(() => served.close())
  const vm = await shareMachine()
  const verdicts: Record<string, number> = {}
  for (const target of listTransactions(store)) {
    const signal = AbortSignal.timeout(60_000)
    const why = await fetchReplay(served.chain, vm, target, { signal }).then(
      ({ verdict: { replay, differences, warning } }) => {
        assert.equal(warning?.includes('names no global version'), replay === 'exact' ? undefined : true)
        return [replay, ...differences.map(({ member }) => member)].join(' ')
      },
      (error: Error) => {
        assert.match(error.message, /came out differently: it differs in .*names no global version/)
        return `an earlier one differs in ${/it differs in (.*)\. The/.exec(error.message)?.[1]}`
      },
    )
    verdicts[why] = (verdicts[why] ?? 0) + 1
  }
  t.diagnostic(JSON.stringify(verdicts))
  assert.deepEqual(verdicts, {
    exact: 395,
    'state_exact description.compute_phase.gas_used': 297,
    'an earlier one differs in description.compute_phase.gas_used': 395,
  })
})

test('code that reads previous blocks', async (t) => {
  // PREVMCBLOCKS, INDEX 0, INDEX 2: the seqno of the newest.
  const network = await startWith(t, codeOf(`F83400 6F10 6F12 ${KEEP}`))
  await send(network)
  const { replay, described } = await replayLast(network)
  assert.deepEqual([replay.verdict.replay, replay.hasPreviousBlocks], ['exact', true])
  assert.equal(described.failure, undefined)
})

test('code that reads the random seed', async (t) => {
  const network = await startWith(t, codeOf('F826 C8 CBFF C9 ED54'))
  await send(network)
  const { replay, described } = await replayLast(network)
  assert.equal(replay.verdict.replay, 'exact')
  assert.ok(described.state.changes.some(({ member }) => member === 'data_hash'))
})

test('code that is a library', async (t) => {
  const network = await startTestNetwork(t)
  const library = codeOf(`8101C8 ${KEEP}`)
  const libraries = Dict.of(simpleLibsType, [[library.hash(), { isPublic: true, root: library }]]).root as Cell
  const init = { ...contractInit(codeOf('30'), emptyCell), library: libraries }
  await network.controls.setAccount({
    address: address(-1, 5),
    balance: amount(10n ** 12n),
    state: { kind: 'active', init },
  })
  await place(network, libraryReference(library.hash()))
  await network.controls.mine(1)
  await send(network)
  const { replay, recording } = await replayLast(network)
  assert.deepEqual([replay.verdict.replay, replay.libraries.size], ['exact', 1])
  assert.equal(recording?.exit_code, 0)
})

test('after a split of the shard', async (t) => {
  const network = await startWith(t, codeOf(`71 ${KEEP}`))
  await network.controls.reshard('split')
  for (let k = 0; k < 12 && network.store.shardTops.length < 3; k++) await network.controls.mine(1)
  await send(network)
  const { replay } = await replayLast(network)
  assert.equal(replay.verdict.replay, 'exact')
})

test('a key block includes the shard block: its configuration is not used', async (t) => {
  const network = await startWith(t, codeOf(`71 ${KEEP}`))
  const { controls } = network
  await controls.mine(1)
  await Promise.all([controls.reshard('split'), send(network)])
  const { replay } = await replayLast(network)
  assert.equal(replay.verdict.replay, 'exact')
  assert.ok(replay.inputs.master.seqno < network.store.head!.id.seqno)
})

test('out of gas', async (t) => {
  const network = await startWith(t, codeOf('90EA'))
  await send(network, undefined, 1_000_000n)
  const { replay, described, recording } = await replayLast(network)
  assert.equal(replay.verdict.replay, 'exact')
  assert.deepEqual([described.failure?.phase, described.failure?.name], ['compute', 'out_of_gas'])
  assert.equal(described.failure?.step, recording!.steps_total - 1)
})

test('thrown and caught: no failure, but the exception is listed', async (t) => {
  // PUSHCONT { THROW 42 }, PUSHCONT { }, TRY.
  const network = await startWith(t, codeOf('92F22A 90 F2FF'))
  await send(network)
  const { replay, described, recording } = await replayLast(network)
  assert.equal(replay.verdict.replay, 'exact')
  assert.equal(described.failure, undefined)
  assert.deepEqual(
    recording!.throws.map(({ code, caught }) => [code, caught]),
    [[42, true]],
  )
})

test('thrown in a nested machine', async (t) => {
  // PUSHINT 0, PUSHSLICE { THROW 42 }, RUNVM 0.
  const network = await startWith(t, codeOf('70 8B2F22A8 DB4000'))
  await send(network)
  const { replay, described, recording } = await replayLast(network)
  assert.equal(replay.verdict.replay, 'exact')
  assert.equal(described.failure, undefined)
  assert.deepEqual(
    recording!.children.map(({ exit_code: code, failure }) => [code, failure?.code]),
    [[42, 42]],
  )
})

test('the action phase fails with 37', async (t) => {
  // PUSHPOW2 60, PUSHINT 0, RAWRESERVE.
  const network = await startWith(t, codeOf('833B 70 FB02'))
  await send(network)
  const { replay, described } = await replayLast(network)
  assert.equal(replay.verdict.replay, 'exact')
  const { failure, actions } = described
  assert.deepEqual(
    [failure?.phase, failure?.result_code, failure?.name, failure?.step],
    ['action', 37, 'not_enough_coins', 2],
  )
  assert.deepEqual(
    actions.map(({ kind, resultCode, step }) => [kind, resultCode, step]),
    [['reserve', 37, 2]],
  )
})

test('the compute phase is skipped: the account has no code', async (t) => {
  const network = await startTestNetwork(t)
  await send(network, address(0, 0x44))
  const { replay, described, recording } = await replayLast(network, address(0, 0x44))
  assert.equal(replay.verdict.replay, 'exact')
  assert.equal(recording, undefined)
  assert.deepEqual([described.skipped, described.failure?.name], ['no_state', 'no_state'])
})

test('changed inputs: the verdict says so, and what differs', async (t) => {
  const network = await startWith(t, codeOf(`71 ${KEEP}`), new CellWriter().writeUint(5, 32).toCell())
  await send(network)
  const { replay } = await replayLast(network)
  const { changeAccount } = await import('../../src/debug/replay/changes.ts')
  const { replayTransaction } = await import('../../src/debug/replay/replayTransaction.ts')
  const source = { findLibrary: async () => undefined, getPreviousBlocks: async () => undefined }
  const changed = await replayTransaction(await shareMachine(), replay.inputs, source, {
    changes: { account: (before) => changeAccount(before, address(0, 7), { code: codeOf('F22A') }) },
  })
  assert.equal(changed.verdict.replay, 'changed')
  assert.ok(changed.verdict.differences.some(({ member }) => member === 'description.compute_phase.exit_code'))
})
