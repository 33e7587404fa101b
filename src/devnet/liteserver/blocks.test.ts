import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stillContext } from '../../../test/support/listenStore.ts'
import { verifyShardInfo, verifyState, verifyValidatorStats } from '../../../test/support/proofs/blockAnswers.ts'
import { TinyChain } from '../../../test/support/TinyChain.ts'
import { decodeBoc, decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { PRUNED_BRANCH } from '../../codec/cell/exotic.ts'
import { unwrapUnchecked } from '../../codec/cell/merkle.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import type { TlArguments } from '../../codec/tl/tlTypes.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { verifyBlockHeader, verifyLookup } from '../../node/proofs/blockProofs.ts'
import { verifyBlockProofChain } from '../../node/proofs/chainProofs.ts'
import { verifyConfig } from '../../node/proofs/configProofs.ts'
import { verifyShardBlock } from '../../node/proofs/shardProofs.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { getBlockProof } from './blockProof.ts'
import { getBlock, getBlockHeader, getState, lookupBlock, lookupBlockWithProof } from './blocks.ts'
import { getConfigAll, getConfigParams, getValidatorStats } from './config.ts'
import { type LiteFunction, type LiteserverContext, LiteserverError } from './LiteFunction.ts'
import { blockFunctions } from './Liteserver.ts'
import { getMasterchainInfo, getMasterchainInfoExt, sendMessage } from './serverInfo.ts'
import { getAllShardsInfo, getPendingShardBlocks, getShardBlockProof, getShardInfo } from './shards.ts'

const makeChain = (blocks: number, keep = 0) => {
  const tiny = new TinyChain(keep)
  for (let k = 0; k < blocks; k++) tiny.add({ shardBlocks: 2 })
  return { tiny, context: stillContext(tiny.store), head: tiny.store.head!.id }
}

/** The refusal of a request, as its code and text. */
const refusalOf = async <K extends LiteFunctionName>(
  context: LiteserverContext,
  run: LiteFunction<K>,
  args: TlArguments[K],
): Promise<string> => {
  try {
    await run(context, args)
  } catch (error) {
    if (error instanceof LiteserverError) return `${error.serverCode} ${error.serverText}`
    throw error
  }
  return 'answered'
}

const nameOf = formatBlockIdExt
const MASTER = { workchain: -1, shard: wholeShard }
const stranger = (id: BlockIdExt, seqno = id.seqno): BlockIdExt => ({
  ...id,
  seqno,
  rootHash: new Uint8Array(32).fill(7),
})

describe('the head', () => {
  it('is the newest block, or the first state before there is any', async () => {
    const { tiny, context, head } = makeChain(2)
    const info = await getMasterchainInfo(context, {})
    assert.equal(nameOf(info.last), nameOf(head))
    assert.deepEqual(info.stateRootHash, tiny.chain.head.state.hash())
    assert.deepEqual(info.init.rootHash, tiny.chain.zerostate.id.rootHash)
    const empty = stillContext(new TinyChain().store)
    const first = await getMasterchainInfoExt(empty, { mode: 0 })
    assert.deepEqual(
      [first.last.seqno, first.lastUtime, first.version, first.capabilities],
      [0, 1_700_000_000, 257, 15n],
    )
    assert.deepEqual(first.stateRootHash, first.init.rootHash)
    assert.equal((await getMasterchainInfoExt(context, { mode: 0x8000_0001 })).mode, 1)
    assert.equal(
      await refusalOf(context, getMasterchainInfoExt, { mode: 2 }),
      '-400 unsupported getMasterchainInfo mode',
    )
  })
})

describe('blocks and states', () => {
  it('are given by their id and by no other', async () => {
    const { tiny, context, head } = makeChain(2)
    const { data } = await getBlock(context, { id: head })
    assert.deepEqual(decodeSingleBoc(data).hash(), head.rootHash)
    const zero = tiny.chain.zerostate.id
    assert.equal(await refusalOf(context, getBlock, { id: zero }), '651 not in db')
    assert.equal(await refusalOf(context, getBlock, { id: stranger(head) }), '651 block handle not in db')
    assert.equal(
      await refusalOf(context, getBlock, { id: stranger(head, 9) }),
      '651 block handle not in db (last known masterchain block: 2)',
    )
    assert.equal(
      await refusalOf(context, getBlock, { id: { ...stranger(head, 9), workchain: 0 } }),
      '651 block handle not in db (possibly out of sync: shard_client_seqno=2 ls_seqno=2)',
    )
    assert.equal(await refusalOf(context, getBlock, { id: { ...head, seqno: -1 } }), '-400 invalid BlockIdExt')
    const state = await getState(context, { id: head })
    verifyState(head, tiny.chain.head.state.hash(), state)
    const first = await getState(context, { id: zero })
    assert.deepEqual([first.rootHash, first.fileHash], [zero.rootHash, zero.fileHash])
    assert.equal(await refusalOf(context, getState, { id: stranger(zero) }), '651 zerostate not in db')
    const late = { id: { ...head, seqno: 1001 } }
    assert.equal(await refusalOf(context, getState, late), '-400 cannot request total state: possibly too large')
  })

  it('whose state was dropped say so', async () => {
    const { tiny, context } = makeChain(6, 3)
    const { id } = tiny.store.findMaster(1)!
    const name = nameOf(id)
    assert.equal(await refusalOf(context, getState, { id }), "602 state already gc'd")
    assert.equal(
      await refusalOf(context, getConfigAll, { mode: 0, id }),
      `602 cannot load state for ${name} : state already gc'd`,
    )
    assert.equal((await getAllShardsInfo(context, { id })).id, id)
  })

  it('show in a header what its mode names, and nothing else', async () => {
    const { context, head } = makeChain(2)
    const partsOf = async (mode: number): Promise<string> => {
      const answer = await getBlockHeader(context, { id: head, mode })
      assert.equal(answer.mode, mode)
      verifyBlockHeader(head, { mode }, answer)
      const { info, valueFlow, stateUpdate, extra } = openBlock(unwrapUnchecked(decodeSingleBoc(answer.headerProof)))
      const parts = { info, stateUpdate, extra, valueFlow }
      return Object.entries(parts)
        .flatMap(([name, cell]) => (cell.exoticType === PRUNED_BRANCH ? [] : [name]))
        .join(' ')
    }
    // The value flow of this chain is a leaf, which no proof prunes.
    assert.equal(await partsOf(0), 'info valueFlow')
    assert.equal(await partsOf(1), 'info stateUpdate valueFlow')
    assert.equal(await partsOf(16), 'info extra valueFlow')
    assert.equal(await partsOf(113), 'info stateUpdate extra valueFlow')
    assert.equal(await partsOf(96), 'info valueFlow')
    assert.equal(await partsOf(0xffff_ff80), 'info valueFlow')
  })
})

describe('lookups', () => {
  it('find the block by number, logical time and time, and prove it from a block the client has', async () => {
    const { tiny, context, head } = makeChain(5)
    const blocks = [...tiny.chain.masterchain.slice(1), ...tiny.chain.shard.slice(1)]
    for (const { id } of blocks) {
      const lt = BigInt(id.seqno) * 1_000_000n + 10n
      const requests = [
        { mode: 1, id },
        { mode: 2, id: { ...id, seqno: 0 }, lt },
        { mode: 2, id: { ...id, seqno: 0 }, lt: lt - 10n },
        { mode: 4, id: { ...id, seqno: 0 }, utime: 1_700_000_000 + id.seqno },
      ]
      for (const request of requests) {
        assert.equal(nameOf((await lookupBlock(context, request)).id), nameOf(id))
        const answer = await lookupBlockWithProof(context, { ...request, mcBlockId: head })
        assert.equal(nameOf(verifyLookup(head, request, answer).id), nameOf(id))
      }
    }
    assert.equal((await lookupBlock(context, { mode: 1 | 16 | 256, id: head })).mode, 17)
    assert.equal((await lookupBlock(context, { mode: 0x8000_0001, id: head })).mode, 0xf800_0000)
  })

  it('refuse in the words of a node', async () => {
    const { tiny, context, head } = makeChain(3)
    const place = { ...MASTER, seqno: 0 }
    const ways = '-400 exactly one of mode.0, mode.1 and mode.2 bits must be set'
    for (const mode of [0, 3, 5, 7, 8]) assert.equal(await refusalOf(context, lookupBlock, { mode, id: place }), ways)
    const cases: [TlArguments['liteServer.lookupBlock'], string][] = [
      [
        { mode: 1, id: { ...place, seqno: -1 } },
        'seqno=4294967295: ltdb: block not found (last known masterchain block: 3)',
      ],
      [{ mode: 1, id: place }, 'seqno=0: ltdb: block not found'],
      [
        { mode: 2, id: place, lt: -1n },
        'lt=18446744073709551615: ltdb: block not found (last known masterchain block: 3)',
      ],
      [{ mode: 4, id: place, utime: -1 }, 'utime=4294967295: ltdb: block not found (last known masterchain block: 3)'],
    ]
    for (const [request, expected] of cases) {
      const refusal = await refusalOf(context, lookupBlock, request)
      assert.equal(refusal, `651 cannot find block (-1,8000000000000000) ${expected}`)
    }
    assert.equal(
      await refusalOf(context, lookupBlock, { mode: 1, id: { workchain: 0, shard: 5n, seqno: 100 } }),
      '651 cannot find block (0,0000000000000005) seqno=100: ltdb: block not found (possibly out of sync: shard_client_seqno=3 ls_seqno=3)',
    )
    assert.equal(
      await refusalOf(context, lookupBlock, { mode: 1, id: { workchain: 7, shard: 0n, seqno: 1 } }),
      '651 cannot find block (7,0000000000000000) seqno=1: seqno not in db',
    )
    const old = tiny.store.findMaster(1)!.id
    const newer = { mode: 1, id: { ...MASTER, seqno: 2 } }
    assert.equal(
      await refusalOf(context, lookupBlockWithProof, { ...newer, mcBlockId: old }),
      "0 specified mc block is older than block's masterchain ref",
    )
    assert.equal(
      await refusalOf(context, lookupBlockWithProof, { ...newer, mcBlockId: { ...head, workchain: 0 } }),
      '-400 masterchain block id must be specified',
    )
    assert.equal(
      await refusalOf(context, lookupBlockWithProof, { ...newer, mcBlockId: stranger(head) }),
      `651 cannot load block ${nameOf(stranger(head))} : block handle not in db`,
    )
    const first = { mode: 2, id: place, lt: 1n, mcBlockId: head }
    assert.equal(await refusalOf(context, lookupBlockWithProof, first), '651 not in db')
  })
})

describe('shards', () => {
  it('are proven from the masterchain, with their blocks', async () => {
    const { tiny, context, head } = makeChain(2)
    const top = tiny.chain.shardHead.id
    for (const shard of [wholeShard, 0x4000_0000_0000_0000n, 1n, 0xffff_ffff_ffff_ffffn, 0n]) {
      for (const exact of [true, false]) {
        const request = { workchain: 0, shard, exact }
        const answer = await getShardInfo(context, { id: head, ...request })
        const isFound = !exact || shard === wholeShard || shard === 0n
        assert.equal(answer.shardblk.workchain, isFound ? 0 : -0x8000_0000, `${shard} ${exact}`)
        if (shard !== 0n) assert.equal(verifyShardInfo(head, request, answer).shard !== undefined, isFound)
        if (isFound) assert.equal(nameOf(answer.shardblk), nameOf(top))
      }
    }
    for (const workchain of [-1, 3]) {
      const answer = await getShardInfo(context, { id: head, workchain, shard: wholeShard, exact: false })
      assert.deepEqual([answer.shardblk.workchain, answer.shardDescr.length], [-0x8000_0000, 0])
      assert.equal(decodeBoc(answer.shardProof).length, 2)
    }
    const invalid = { id: head, workchain: -0x8000_0000, shard: 0n, exact: true }
    assert.equal(await refusalOf(context, getShardInfo, invalid), '-400 requested shard is invalid')
    assert.equal(
      await refusalOf(context, getShardInfo, { id: top, workchain: 0, shard: wholeShard, exact: true }),
      '-400 reference block must belong to the masterchain',
    )
    for (const { id } of tiny.chain.shard) {
      const answer = await getShardBlockProof(context, { id })
      verifyShardBlock(answer.masterchainId, { id }, answer)
      assert.equal(answer.links.length, id.seqno % 2 === 0 ? 1 : 2)
    }
    assert.deepEqual(await getShardBlockProof(context, { id: head }), { masterchainId: head, links: [] })
    const unknown = { id: stranger(top) }
    assert.equal(await refusalOf(context, getShardBlockProof, unknown), '651 block handle not in db')
  })
})

describe('proof chains', () => {
  it('lead over many key blocks, 16 links an answer, under either kind of signatures', async () => {
    for (const signed of ['ordinary', 'simplex'] as const) {
      const tiny = new TinyChain()
      for (let k = 1; k <= 21; k++) tiny.add({ isKeyBlock: k <= 20, signed })
      const context = stillContext(tiny.store)
      const target = tiny.store.head!.id
      let known = tiny.store.zeroState
      const lengths: number[] = []
      while (nameOf(known) !== nameOf(target)) {
        const answer = await getBlockProof(context, { mode: 1, knownBlock: known, targetBlock: target })
        const chain = verifyBlockProofChain(answer, known, target)
        assert.equal(chain.isComplete, lengths.length === 1)
        lengths.push(answer.steps.length)
        known = chain.to
      }
      assert.deepEqual(lengths, [16, 5], signed)
    }
  })

  it('lead back, forward from where no key block is, and to the newest block', async () => {
    const tiny = new TinyChain()
    for (const isKeyBlock of [false, false, true, false, false, true, false]) tiny.add({ isKeyBlock })
    const context = stillContext(tiny.store)
    const at = (seqno: number): BlockIdExt => (seqno === 0 ? tiny.store.zeroState : tiny.store.findMaster(seqno)!.id)
    const route = async (mode: number, from: number, to?: number): Promise<number[]> => {
      const targetBlock = to === undefined ? undefined : at(to)
      const answer = await getBlockProof(context, { mode, knownBlock: at(from), targetBlock })
      const { links, isComplete } = verifyBlockProofChain(answer, at(from), targetBlock ?? at(7))
      assert.ok(isComplete)
      return links.map((link) => link.to.seqno)
    }
    assert.deepEqual(await route(1, 7, 2), [2])
    assert.deepEqual(await route(1, 7, 0), [0])
    assert.deepEqual(await route(1, 5, 5), [])
    assert.deepEqual(await route(1, 0, 7), [3, 6, 7])
    assert.deepEqual(await route(1, 4, 7), [3, 6, 7])
    // Seen from the newest block the next key block comes first; seen from the target it is not there yet.
    assert.deepEqual(await route(1, 0, 2), [3, 2])
    assert.deepEqual(await route(0x1001, 0, 2), [2])
    assert.deepEqual(await route(0x1001, 3, 5), [5])
    for (const mode of [0, 2, 0x1000]) assert.deepEqual(await route(mode, 0), [3, 6, 7])
  })

  it('refuse in the words of a node', async () => {
    const { tiny, context, head } = makeChain(3)
    const zero = tiny.store.zeroState
    const shard = tiny.chain.shardHead.id
    const ask = (mode: number, knownBlock: BlockIdExt, targetBlock?: BlockIdExt): Promise<string> =>
      refusalOf(context, getBlockProof, { mode, knownBlock, ...(targetBlock === undefined ? {} : { targetBlock }) })
    const unsigned = { ...head, seqno: -1 }
    const printed = nameOf({ ...head, seqno: 0xffff_ffff })
    assert.equal(await ask(0, shard), `-400 source block ${nameOf(shard)} is not a valid masterchain block id`)
    assert.equal(await ask(1, head, unsigned), `-400 destination block ${printed} is not a valid masterchain block id`)
    const future = stranger(head, 9)
    assert.equal(
      await ask(1, zero, future),
      `-400 client knows block ${nameOf(future)} newer than the reference masterchain block ${nameOf(head)}`,
    )
    assert.equal(await ask(0x1001, zero, future), '651 block handle not in db')
    const view = `is unknown from the perspective of reference block ${nameOf(head)}`
    const other = stranger(head, 2)
    assert.equal(await ask(1, other, head), `-400 proof source masterchain block ${nameOf(other)} ${view}`)
    assert.equal(await ask(1, head, other), `-400 proof destination masterchain block ${nameOf(other)} ${view}`)
    const silent = new TinyChain()
    const { id } = silent.add({ signed: 'not' })
    assert.equal(
      await refusalOf(stillContext(silent.store), getBlockProof, { mode: 0, knownBlock: silent.store.zeroState }),
      `651 cannot load proof for ${nameOf(id)} : block proof not in db`,
    )
  })
})

describe('configurations', () => {
  it('come from the state or from the last key block', async () => {
    const tiny = new TinyChain()
    for (const isKeyBlock of [false, true, false]) tiny.add({ isKeyBlock })
    const context = stillContext(tiny.store)
    const id = tiny.store.head!.id
    const keyBlock = tiny.store.findMaster(2)!.id
    const hashes = tiny.chain.config.config.entries().map(([key, cell]) => [key, cell.hash()])
    for (const mode of [0, 16, 1 | 2 | 4 | 8 | 32 | 256 | 512]) {
      const answer = await getConfigAll(context, { mode, id })
      assert.equal(answer.mode, mode)
      const { params } = verifyConfig(id, { mode }, answer)
      assert.deepEqual(
        params.config.entries().map(([key, cell]) => [key, cell.hash()]),
        hashes,
      )
    }
    const fromKey = await getConfigAll(context, { mode: 0x8000, id })
    assert.equal(nameOf(fromKey.id), nameOf(keyBlock))
    assert.equal(verifyConfig(keyBlock, { mode: 0x8000 }, fromKey).params.config.entries().length, hashes.length)
    const some = await getConfigParams(context, { mode: 0, id, paramList: [99, -5, 99] })
    const { config } = verifyConfig(id, { mode: 0, paramList: [99, -5] }, some).params
    assert.equal(config.find(-5), undefined)
    assert.ok(config.find(99) !== undefined)
    // With the blocks before goes the version that says which they are, and the answer tells so.
    const withBlocks = await getConfigParams(context, { mode: 128 | 64, id, paramList: [] })
    assert.equal(withBlocks.mode, 128 | 64 | 512)
    assert.ok(withBlocks.configProof.length > some.configProof.length)
  })

  it('refuse in the words of a node', async () => {
    const { tiny, context, head } = makeChain(1)
    const shard = tiny.chain.shardHead.id
    const only = '-400 configuration parameters can be loaded with respect to a masterchain block only'
    assert.equal(await refusalOf(context, getConfigAll, { mode: 0, id: shard }), only)
    assert.equal(await refusalOf(context, getConfigAll, { mode: 0x8000, id: { ...head, seqno: -1 } }), only)
    const long = { mode: 0, id: head, paramList: Array.from({ length: 257 }, (_, k) => k) }
    assert.equal(await refusalOf(context, getConfigParams, long), '-400 too long param list')
    const zero = tiny.store.zeroState
    assert.equal(
      await refusalOf(context, getConfigAll, { mode: 0x8000, id: head }),
      `651 cannot load block ${nameOf(zero)} : not in db`,
    )
    const future = stranger(head, 5)
    assert.equal(
      await refusalOf(context, getConfigAll, { mode: 0x8000, id: future }),
      `0 client knows block ${nameOf(future)} newer than the reference masterchain block ${nameOf(head)}`,
    )
    assert.equal(
      await refusalOf(context, getConfigAll, { mode: 0, id: future }),
      `651 cannot load block ${nameOf(future)} : block handle not in db (last known masterchain block: 1)`,
    )
  })
})

describe('statistics', () => {
  it('come in pages that are complete only where the end was seen', async () => {
    const { context, head } = makeChain(1)
    const page = async (mode: number, limit: number, after?: number): Promise<[number, boolean]> => {
      const startAfter = after === undefined ? undefined : new Uint8Array(32).fill(after)
      const request = { mode, limit, ...(startAfter === undefined ? {} : { startAfter }) }
      const answer = await getValidatorStats(context, { id: head, ...request })
      const { creators, isComplete } = verifyValidatorStats(head, request, answer)
      assert.equal(creators.length, answer.count)
      assert.equal(isComplete, answer.complete)
      return [answer.count, answer.complete]
    }
    assert.deepEqual(await page(0, 10), [4, true])
    assert.deepEqual(await page(0, 4), [4, false])
    assert.deepEqual(await page(2, 1000), [4, true])
    assert.deepEqual(await page(0, 0x7fff_ffff), [4, true])
    assert.deepEqual(await page(1, 1, 0), [1, false])
    assert.deepEqual(await page(1, 5, 1), [2, true])
    assert.deepEqual(await page(1, 5, 3), [0, true])
    assert.deepEqual(await page(3, 1, 3), [1, false])
    assert.deepEqual(await page(3, 2, 3), [1, true])
    assert.deepEqual(await page(3, 5, 2), [2, true])
    assert.deepEqual(await page(3, 5, 9), [0, true])
    const positive = '-400 requested entry count limit must be positive'
    for (const limit of [0, -1]) {
      assert.equal(await refusalOf(context, getValidatorStats, { mode: 0, id: head, limit }), positive)
    }
    const flags = { mode: 8, id: head, limit: 1 }
    assert.equal(await refusalOf(context, getValidatorStats, flags), '-400 unknown flags set in mode')
  })
})

describe('shard blocks that no masterchain block names yet', () => {
  it('are listed, all or by shard, and can be read, where non-final queries are enabled', async () => {
    const { tiny, context: enabled } = makeChain(1)
    const context = { ...enabled, findPending: undefined }
    const [id] = tiny.store.index.listIncluded(1).map((block) => block.id)
    const pending = { ...id!, seqno: 77 }
    const bytes = Uint8Array.of(1, 2, 3)
    const open = {
      ...context,
      findPending: () => ({ ids: [pending], findBytes: ({ seqno }: BlockIdExt) => (seqno === 77 ? bytes : undefined) }),
    }
    assert.equal(await refusalOf(context, getPendingShardBlocks, { mode: 0 }), '-400 query is not allowed')
    const list = async (args: TlArguments['liteServer.nonfinal.getPendingShardBlocks']) =>
      (await getPendingShardBlocks(open, args)).signedBlocks
    assert.deepEqual(await list({ mode: 0 }), [pending])
    assert.deepEqual(await list({ mode: 1, wc: id!.workchain, shard: id!.shard }), [pending])
    assert.deepEqual(await list({ mode: 1, wc: 5, shard: id!.shard }), [])
    assert.deepEqual((await getBlock(open, { id: pending })).data, bytes)
    assert.deepEqual((await getBlock(open, { id: id! })).data, tiny.store.findBytes(id!))
    assert.match(await refusalOf(context, getBlock, { id: pending }), /^651 /)
  })
})

describe('messages', () => {
  it('go to the network, which takes or refuses them', async () => {
    const { context } = makeChain(1)
    const taken: Uint8Array[] = []
    const open = { ...context, sendMessage: async (body: Uint8Array) => void taken.push(body) }
    assert.deepEqual(await sendMessage(open, { body: Uint8Array.of(1) }), { status: 1 })
    assert.equal(taken.length, 1)
    assert.equal(await refusalOf(context, sendMessage, { body: Uint8Array.of(1) }), '0 this chain is a recording')
  })
})

describe('requests about anything', () => {
  it('are answered or refused, and never fail otherwise', async () => {
    const { tiny, context, head } = makeChain(3)
    const hash = new Uint8Array(32)
    const ids: BlockIdExt[] = [
      head,
      tiny.store.zeroState,
      tiny.chain.shardHead.id,
      tiny.chain.shardZerostate.id,
      { ...head, rootHash: hash },
      { ...head, fileHash: hash },
      { ...head, shard: 1n },
      { ...head, shard: 0n },
      { ...head, seqno: -1 },
      { ...head, seqno: 0x7fff_ffff },
      { ...head, seqno: -0x8000_0000 },
      { ...head, workchain: -0x8000_0000 },
      { ...head, workchain: 0x7fff_ffff },
      { ...head, workchain: 0 },
      { ...stranger(head), shard: 0xffff_ffff_ffff_fff8n, workchain: 0 },
    ]
    const modes = [0, 1, 2, 3, 4, 5, 7, 16, 0x1000, 0x1001, 0x8000, 0xffff, 0x7fff_ffff, 0xffff_ffff]
    const numbers = [0, 1, -1, 256, 1001, 0x7fff_ffff, -0x8000_0000]
    let asked = 0
    const counts = new Map<string, number>()
    for (const id of ids) {
      for (const mode of modes) {
        for (const number of numbers) {
          const lt = BigInt(number) << 31n
          const shard = BigInt.asUintN(64, BigInt(number) << 33n)
          const base = { id, mode, knownBlock: id, mcBlockId: id, workchain: number, shard, exact: number > 0 }
          const args = {
            ...base,
            targetBlock: (mode & 1) === 0 ? undefined : ids[Math.abs(number) % ids.length],
            lt,
            utime: number,
            limit: number,
            startAfter: (mode & 1) === 0 ? undefined : hash,
            paramList: Array.from({ length: Math.abs(number) % 300 }, (_, k) => (k * number) | 0),
            body: new Uint8Array(Math.abs(number) % 100),
          }
          for (const [kind, run] of Object.entries(blockFunctions)) {
            const outcome = await refusalOf(context, run as LiteFunction<LiteFunctionName>, args as never)
            const key = outcome === 'answered' ? outcome : outcome.split(' ')[0]!
            counts.set(key, (counts.get(key) ?? 0) + 1)
            assert.ok(['answered', '-400', '0', '651'].includes(key), `${kind}: ${outcome}`)
            asked++
          }
        }
      }
    }
    assert.equal(asked, ids.length * modes.length * numbers.length * Object.keys(blockFunctions).length)
    for (const key of ['answered', '-400', '0', '651']) assert.ok((counts.get(key) ?? 0) > 100, key)
  })
})
