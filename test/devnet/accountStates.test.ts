import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { MethodCall } from '../../src/chain/ports.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { CHECKED_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { openAccount } from '../../src/codec/tlb/Account.ts'
import { decodeVmStack, encodeVmStack, readVmStackValue, type VmStack } from '../../src/codec/tlb/VmStack.ts'
import type { VmValue } from '../../src/codec/tlb/VmValue.ts'
import { getAccountState, getAccountStatePrunned } from '../../src/devnet/liteserver/accounts.ts'
import { type LiteserverContext, LiteserverError } from '../../src/devnet/liteserver/LiteFunction.ts'
import { accountFunctions } from '../../src/devnet/liteserver/Liteserver.ts'
import { runSmcMethod } from '../../src/devnet/liteserver/runSmcMethod.ts'
import { getOneTransaction } from '../../src/devnet/liteserver/transactions.ts'
import { verifyAccountState } from '../../src/node/proofs/accountProofs.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../src/primitives/BlockId.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { NOTHING_READ } from '../../src/tvm/runs.ts'
import { ACTIVE_ACCOUNT, busyAccount, FROZEN_ACCOUNT, makeBusyChain } from '../support/busyChain.ts'
import { createLiteserverContext } from '../support/liteserverContext.ts'
import { verifyMethodRun, verifyPrunedAccountState, verifyTransaction } from '../support/proofs/accountAnswers.ts'
import { storeProvableChain } from '../support/provableStore.ts'
import { marker } from '../support/sampleMessages.ts'

const chain = makeBusyChain()
const [firstMaster, , newestMaster] = chain.masterchain.map(({ id }) => id) as [BlockIdExt, BlockIdExt, BlockIdExt]
const [, newestShard] = chain.shard.map(({ id }) => id) as [BlockIdExt, BlockIdExt]
const zero = new Uint8Array(32)
const LATEST: BlockIdExt = { workchain: -1, shard: wholeShard, seqno: -1, rootHash: zero, fileHash: zero }
let context: LiteserverContext

before(async () => {
  context = createLiteserverContext(await storeProvableChain(chain))
})

const inBase = (id: Uint8Array) => ({ workchain: 0, id })

describe('account states', () => {
  it('are proven for every kind of account, from the masterchain and from their own shard', async () => {
    for (const [number, kind] of [
      [0, 'uninit'],
      [ACTIVE_ACCOUNT, 'active'],
      [FROZEN_ACCOUNT, 'frozen'],
      [299, 'uninit'],
    ] as const) {
      const account = inBase(busyAccount(number))
      for (const id of [newestMaster, newestShard]) {
        const question = { id, account }
        const state = verifyAccountState(id, question, await getAccountState(context, question))
        const pruned = verifyPrunedAccountState(id, question, await getAccountStatePrunned(context, question))
        assert.ok(state.kind === 'found' && pruned.kind === 'found')
        const opened = openAccount(state.account)
        assert.equal(opened.kind === 'account' && opened.state.kind, kind)
        assert.deepEqual(pruned.account.hash(0), state.account.hash())
        assert.equal(pruned.account.level, number === ACTIVE_ACCOUNT ? 1 : 0)
        assert.deepEqual(state.shardBlock, newestShard)
      }
    }
  })

  it('are proven to be absent: the account, the masterchain account, the workchain', async () => {
    for (const account of [
      inBase(new Uint8Array(32).fill(0xab)),
      { workchain: -1, id: zero },
      { workchain: 5, id: zero },
    ]) {
      const question = { id: newestMaster, account }
      const answer = await getAccountState(context, question)
      assert.equal(verifyAccountState(newestMaster, question, answer).kind, 'absent')
      assert.deepEqual(await getAccountStatePrunned(context, question), answer)
      assert.equal(answer.shardblk.workchain, account.workchain === 5 ? -0x8000_0000 : account.workchain)
    }
  })

  it('are of the newest block for seqno -1, whatever else the id says', async () => {
    const account = inBase(busyAccount(0))
    const expected = await getAccountState(context, { id: newestMaster, account })
    assert.deepEqual(await getAccountState(context, { id: LATEST, account }), expected)
    assert.deepEqual(await getAccountState(context, { id: { ...LATEST, shard: 0n }, account }), expected)
  })
})

describe('one transaction', () => {
  it('is proven to be there, or not', async () => {
    const ask = async (number: number, lt: bigint) => {
      const question = { id: newestShard, account: inBase(busyAccount(number)), lt }
      return verifyTransaction(newestShard, question, await getOneTransaction(context, question)).transaction
    }
    assert.ok((await ask(0, 2_000_001n)) !== undefined)
    for (const [number, lt] of [
      [0, 2_000_002n],
      [1, 2_000_001n],
      [0, 5n],
      [0, -1n],
    ] as const) {
      assert.equal(await ask(number, lt), undefined)
    }
  })
})

describe('get-methods', () => {
  const account = inBase(busyAccount(ACTIVE_ACCOUNT))
  const result: VmStack = [
    { kind: 'int', value: 42n },
    { kind: 'cell', cell: marker(1) },
  ]
  let called: MethodCall | undefined
  const vm: LiteserverContext['vm'] = {
    runMethod: async (call) => {
      called = call
      return { exitCode: 0, gasUsed: 100, stack: result, log: undefined, dependsOnBlock: true, reads: NOTHING_READ }
    },
  }
  const ask = (mode: number, id = newestMaster, who = account) =>
    runSmcMethod(
      { ...context, vm },
      { mode, id, account: who, methodId: 85143n, params: encodeVmStack([{ kind: 'null' }]) },
    )

  it('run on the account with what surrounds it', async () => {
    const answer = await ask(7)
    const run = verifyMethodRun(newestMaster, { account }, answer)
    assert.deepEqual(decodeVmStack(run.unproven.result!), decodeVmStack(encodeVmStack(result)))
    assert.equal(run.account?.level, 0)
    assert.deepEqual(called?.contract.code.hash(), marker(0xc0de).hash())
    assert.deepEqual(called?.contract.data.hash(), marker(0xda7a).hash())
    assert.deepEqual(called?.contract.address, { workchain: 0, hash: account.id })
    assert.equal(called?.gasLimit, 300_000)
    assert.equal(called?.methodId, 85143)
    assert.deepEqual(called?.stack, [{ kind: 'null' }])
    assert.equal(called?.context.now, 1_700_000_002)
    assert.deepEqual(called?.context.config.hash(), (chain.config.config.root as typeof called.context.config).hash())
    const library = marker(0x11b)
    assert.deepEqual((await called?.context.findLibrary?.(library.hash()))?.hash(), library.hash())
    assert.equal(await called?.context.findLibrary?.(zero), undefined)
  })

  it('give the parts that the mode names', async () => {
    for (let mode = 0; mode < 0x40; mode++) {
      const answer = await ask(mode)
      const { shardProof, proof, stateProof, result: stack, initC7, libExtras } = answer
      assert.deepEqual(
        [shardProof, proof, stateProof, stack, initC7, libExtras].map((part) => part !== undefined),
        [1, 1, 2, 4, 8, 16].map((bit) => (mode & bit) !== 0),
      )
      assert.deepEqual(libExtras ?? zero.subarray(32), new Uint8Array())
      assert.equal(answer.mode, mode)
    }
  })

  it('say in c7 what they were told', async () => {
    const read = async (mode: number): Promise<readonly VmValue[]> => {
      const { initC7 } = await ask(mode)
      const value = readVmStackValue(openCell(decodeSingleBoc(initC7!)))
      assert.ok(value.kind === 'tuple' && value.items.length === 1)
      const [inner] = value.items
      assert.ok(inner?.kind === 'tuple')
      return inner.items
    }
    const short = await read(8)
    const full = await read(40)
    assert.equal(short.length, 10)
    assert.equal(short[9]?.kind, 'null')
    // The made-up network states no version: its c7 has nothing more but the configuration.
    assert.deepEqual([full.length, full[9]?.kind], [10, 'cell'])
    const ints = [0, 1, 2, 3, 4, 5].map((k) => (short[k]?.kind === 'int' ? short[k].value : undefined))
    assert.deepEqual(ints, [0x076ef1ean, 0n, 0n, 1_700_000_002n, 2_000_010n, 2_000_010n])
    assert.ok(short[7]?.kind === 'tuple' && short[7].items[1]?.kind === 'cell')
  })

  it('end with -256 where there is no code', async () => {
    for (const who of [
      inBase(new Uint8Array(32).fill(0xab)),
      inBase(busyAccount(0)),
      inBase(busyAccount(FROZEN_ACCOUNT)),
    ]) {
      const answer = await ask(31, newestMaster, who)
      assert.equal(answer.exitCode, -256)
      assert.deepEqual([answer.result, answer.initC7], [new Uint8Array(), new Uint8Array()])
      verifyMethodRun(newestMaster, { account: who }, answer)
    }
  })

  it('are refused where the machine cannot run them, or is not there', async () => {
    class Broken extends CodedError {
      readonly code: string
      constructor(code: string) {
        super('It broke.')
        this.code = code
      }
    }
    const failing = (code: string): LiteserverContext['vm'] => ({ runMethod: () => Promise.reject(new Broken(code)) })
    const question = { mode: 4, id: newestMaster, account, methodId: 1n, params: zero.subarray(32) }
    const asking = (machine: LiteserverContext['vm'], methodId = 1n) =>
      Promise.resolve(runSmcMethod({ ...context, vm: machine }, { ...question, methodId }))
    await assert.rejects(asking(failing('vm_timeout')), new LiteserverError(-503, 'timeout'))
    await assert.rejects(asking(failing('vm_input_invalid')), new LiteserverError(-400, 'It broke.'))
    await assert.rejects(asking(undefined), new LiteserverError(-400, 'this server does not run get-methods'))
    await assert.rejects(
      asking(vm, 1n << 40n),
      new LiteserverError(-400, 'method id 1099511627776 does not fit 32 bits'),
    )
  })
})

describe('questions that are refused', () => {
  const nowhere = (id: BlockIdExt): BlockIdExt => ({ ...id, rootHash: new Uint8Array(32).fill(1) })
  const ahead = (id: BlockIdExt): BlockIdExt => ({ ...nowhere(id), seqno: 99 })
  const account = inBase(busyAccount(0))
  const master = { workchain: -1, id: zero }
  const stack = (bytes: Uint8Array) => ({ mode: 4, id: newestMaster, account, methodId: 1n, params: bytes })
  const continuation = new CellWriter()
    .writeUint(1, 24)
    .writeUint(6, 8)
    .writeUint(0b1001, 4)
    .writeUint(0, 6)
    .writeInt(0, 32)
  const withContinuation = continuation.writeRef(new CellWriter().toCell()).toCell()
  type Case = readonly [keyof typeof accountFunctions, object, number, string]

  const cases: readonly Case[] = [
    [
      'liteServer.getAccountState',
      { id: nowhere(newestMaster), account },
      651,
      `cannot load block ${formatBlockIdExt(nowhere(newestMaster))} : block handle not in db`,
    ],
    [
      'liteServer.getAccountState',
      { id: ahead(newestMaster), account },
      651,
      `cannot load block ${formatBlockIdExt(ahead(newestMaster))} : block handle not in db (last known masterchain block: 3)`,
    ],
    [
      'liteServer.getAccountState',
      { id: ahead(newestShard), account },
      651,
      `cannot load block ${formatBlockIdExt(ahead(newestShard))} : block handle not in db (possibly out of sync: shard_client_seqno=3 ls_seqno=3)`,
    ],
    [
      'liteServer.getAccountState',
      { id: chain.zerostate.id, account },
      651,
      `cannot load block ${formatBlockIdExt(chain.zerostate.id)} : not in db`,
    ],
    [
      'liteServer.getAccountState',
      { id: chain.shardZerostate.id, account },
      651,
      `cannot load block ${formatBlockIdExt(chain.shardZerostate.id)} : not in db`,
    ],
    [
      'liteServer.getAccountState',
      { id: newestShard, account: master },
      -400,
      'reference block for a getAccountState() must belong to the masterchain',
    ],
    [
      'liteServer.getAccountState',
      { id: { ...newestShard, workchain: -0x8000_0000 }, account: { ...account, workchain: -0x8000_0000 } },
      -400,
      'reference block id for a getAccountState() is invalid',
    ],
    [
      'liteServer.getAccountState',
      { id: { ...newestShard, shard: 0xc000_0000_0000_0000n }, account },
      -400,
      'requested account id is not contained in the shard of the reference block',
    ],
    ['liteServer.getAccountState', { id: { ...newestShard, seqno: -1 }, account }, -400, 'invalid block id requested'],
    ['liteServer.getAccountState', { id: { ...newestShard, shard: 0n }, account }, -400, 'invalid block id requested'],
    [
      'liteServer.getAccountState',
      { id: { ...newestMaster, seqno: -2 }, account },
      -400,
      'reference block must belong to the masterchain',
    ],
    [
      'liteServer.getAccountState',
      { id: { ...newestMaster, fileHash: zero }, account },
      -400,
      'reference block must belong to the masterchain',
    ],
    [
      'liteServer.getAccountStatePrunned',
      { id: { ...newestMaster, shard: 4n }, account },
      -400,
      'reference block must belong to the masterchain',
    ],
    [
      'liteServer.getOneTransaction',
      { id: { ...newestShard, rootHash: zero }, account, lt: 1n },
      -400,
      'block id in getOneTransaction() is invalid',
    ],
    [
      'liteServer.getOneTransaction',
      { id: newestShard, account: master, lt: 1n },
      -400,
      'requested account id is not contained in the shard of the specified block',
    ],
    [
      'liteServer.getOneTransaction',
      { id: nowhere(newestShard), account, lt: 1n },
      651,
      `cannot load block ${formatBlockIdExt(nowhere(newestShard))} : block handle not in db`,
    ],
    [
      'liteServer.getTransactions',
      { count: 1, account: { ...account, workchain: -0x8000_0000 }, lt: 1n, hash: zero },
      -400,
      'invalid workchain specified',
    ],
    [
      'liteServer.getTransactions',
      { count: 1, account, lt: -1n, hash: zero },
      -400,
      'cannot compute block with specified transaction: cannot find block (0,0000000000000000) lt=18446744073709551615: ltdb: block not found (possibly out of sync: shard_client_seqno=3 ls_seqno=3)',
    ],
    [
      'liteServer.getTransactions',
      { count: 1, account: { ...account, workchain: 7 }, lt: 1n, hash: zero },
      -400,
      'cannot compute block with specified transaction: cannot find block (7,0000000000000000) lt=1: lt not in db',
    ],
    [
      'liteServer.getTransactions',
      { count: 1, account: master, lt: 9_000_000n, hash: zero },
      -400,
      'cannot compute block with specified transaction: cannot find block (-1,0000000000000000) lt=9000000: ltdb: block not found (last known masterchain block: 3)',
    ],
    [
      'liteServer.getTransactions',
      { count: 1, account, lt: 7n, hash: zero },
      -400,
      'cannot locate transaction in block with specified logical time',
    ],
    [
      'liteServer.getTransactions',
      { count: 1, account, lt: 2_000_001n, hash: zero },
      -400,
      'transaction hash mismatch',
    ],
    [
      'liteServer.listBlockTransactions',
      { id: { ...newestShard, shard: 3n }, mode: 7, count: 5 },
      -400,
      'invalid block id requested',
    ],
    [
      'liteServer.listBlockTransactionsExt',
      { id: chain.shardZerostate.id, mode: 7, count: 5 },
      651,
      `cannot load block ${formatBlockIdExt(chain.shardZerostate.id)} : not in db`,
    ],
    [
      'liteServer.getLibrariesWithProof',
      { id: newestShard, mode: 0, libraryList: [] },
      -400,
      'reference block must belong to the masterchain',
    ],
    [
      'liteServer.getBlockOutMsgQueueSize',
      { mode: 0, id: { ...newestShard, fileHash: zero } },
      -400,
      'invalid BlockIdExt',
    ],
    ['liteServer.getBlockOutMsgQueueSize', { mode: 1, id: newestShard }, -400, 'no out_msg_queue_size in shard state'],
    ['liteServer.getDispatchQueueInfo', { mode: 0, id: newestShard, maxAccounts: 0 }, -400, 'invalid max_accounts'],
    [
      'liteServer.getDispatchQueueInfo',
      { mode: 0, id: { ...newestShard, seqno: -5 }, maxAccounts: 1 },
      -400,
      'invalid BlockIdExt',
    ],
    [
      'liteServer.getDispatchQueueMessages',
      { mode: 0, id: newestShard, addr: zero, afterLt: 0n, maxMessages: -1 },
      -400,
      'invalid max_messages',
    ],
    ['liteServer.runSmcMethod', { ...stack(zero.subarray(32)), mode: 64 }, -400, 'unsupported mode in runSmcMethod'],
    [
      'liteServer.runSmcMethod',
      { ...stack(zero.subarray(32)), mode: 0xffff_ffff },
      -400,
      'unsupported mode in runSmcMethod',
    ],
    ['liteServer.runSmcMethod', stack(new Uint8Array(65536)), -400, 'more than 64k parameter bytes passed'],
    [
      'liteServer.runSmcMethod',
      stack(encodeBoc([marker(1)], CHECKED_BOC)),
      -400,
      'parameter list boc cannot be deserialized as a VmStack',
    ],
    [
      'liteServer.runSmcMethod',
      stack(encodeBoc([withContinuation])),
      -400,
      'parameter list boc cannot be deserialized as a VmStack',
    ],
  ]

  it('get the code and the text of a node', async () => {
    for (const [name, args, code, text] of cases) {
      const run = accountFunctions[name] as (context: LiteserverContext, args: object) => unknown
      await assert.rejects(async () => await run(context, args), new LiteserverError(code, text), `${name}: ${text}`)
    }
  })

  it('say what is wrong with parameters', async () => {
    const run = async (params: Uint8Array) => await runSmcMethod(context, stack(params))
    await assert.rejects(run(Uint8Array.of(1, 2, 3)), /-400: cannot deserialize parameter list boc: /)
    const many = Array.from({ length: 1020 }, (): VmValue => ({ kind: 'null' }))
    await assert.rejects(run(encodeVmStack(many)), /-400: error deserializing parameter list: /)
  })

  it('are those about states that were dropped, too', async () => {
    const forgetful = createLiteserverContext(await storeProvableChain(chain, 1))
    const id = firstMaster
    const ask = async () => await getAccountState(forgetful, { id, account })
    const text = `cannot load state for ${formatBlockIdExt(id)} : state already gc'd`
    await assert.rejects(ask, new LiteserverError(602, text))
    verifyAccountState(newestMaster, { account }, await getAccountState(forgetful, { id: newestMaster, account }))
  })
})
