import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AugDict } from '../../src/codec/cell/AugDict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { type BlockExtra, openAccountBlocks } from '../../src/codec/tlb/Block.ts'
import { type ExtBlkRef, openPrevRef } from '../../src/codec/tlb/BlockInfo.ts'
import type { CurrencyCollection } from '../../src/codec/tlb/CurrencyCollection.ts'
import { inMsgDescrType, openInMsgDescr } from '../../src/codec/tlb/InMsgDescr.ts'
import { formatBlockId, parseBlockIdExt } from '../../src/primitives/BlockId.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { findShardParent, formatShard, shardChildren } from '../../src/primitives/shard.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { packEntries } from '../support/packEntries.ts'
import { type RewrittenBlock, rewriteBlock, Tally } from '../support/rewriteBlock.ts'

const listTransactions = (extra: BlockExtra): [account: string, lt: string, hash: string][] => {
  const all: [string, string, string][] = []
  openAccountBlocks(extra).forEach((account, { transactions }) => {
    transactions.forEach((lt, cell) => void all.push([toHex(account), String(lt), toHex(cell.hash())]))
  })
  return all
}

const toFileName = (workchain: number, shard: bigint, seqno: number): string =>
  `${workchain}_${formatShard(shard)}_${seqno}`

type LocalnetBlock = {
  readonly file: string
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
  readonly size: number
  readonly tx_count: number
  readonly masterchain_seqno: number
  readonly prev: readonly string[]
}
type LocalnetIndex = {
  readonly blocks: readonly LocalnetBlock[]
  readonly masterchain_shards: Readonly<Record<string, readonly string[]>>
}

/** The blocks before this one by name: a merge comes from both children of its shard, a split from its parent. */
const prevNames = ({ info }: RewrittenBlock): string[] => {
  const { workchain, shard, afterMerge, afterSplit } = info
  const shards = afterMerge ? shardChildren(shard) : [afterSplit ? (findShardParent(shard) ?? 0n) : shard]
  return openPrevRef(info).map(({ seqno }, k) => toFileName(workchain, shards[k] ?? 0n, seqno))
}

test('every localnet block says what its index says and is written back to the same cells', (t) => {
  const { blocks, masterchain_shards } = readFixtureJson<LocalnetIndex>('localnet/blocks/index.json')
  const byName = new Map(blocks.map((block) => [block.file.replace('.boc', ''), block]))
  const tally = new Tally()
  const checkRef = (name: string, { rootHash, fileHash }: ExtBlkRef): void => {
    const known = byName.get(name)
    if (known === undefined) return
    assert.deepEqual([toHex(rootHash), toHex(fileHash)], [known.root_hash, known.file_hash])
    tally.add('block references')
  }

  for (const expected of blocks) {
    const bytes = readFixture(`localnet/blocks/${expected.file}`)
    const root = decodeSingleBoc(bytes)
    const read = rewriteBlock(root, { ihrFeeCounts: false }, tally)
    const { block, info, extra, shards } = read
    const transactions = listTransactions(extra)
    tally.add('transactions', transactions.length)
    assert.deepEqual(
      {
        file: `${toFileName(info.workchain, info.shard, info.seqno)}.boc`,
        workchain: info.workchain,
        shard: formatShard(info.shard),
        seqno: info.seqno,
        root_hash: toHex(root.hash()),
        file_hash: toHex(sha256(bytes)),
        size: bytes.length,
        gen_utime: info.genUtime,
        start_lt: String(info.startLt),
        end_lt: String(info.endLt),
        key_block: info.keyBlock,
        after_split: info.afterSplit,
        before_split: info.beforeSplit,
        after_merge: info.afterMerge,
        want_split: info.wantSplit,
        want_merge: info.wantMerge,
        tx_count: transactions.length,
        masterchain_seqno: expected.masterchain_seqno,
        prev: prevNames(read),
      },
      expected,
    )
    assert.equal(block.globalId, -777)
    assert.deepEqual(info.genSoftware, { version: 15, capabilities: 1006n })
    openPrevRef(info).forEach((ref, k) => void checkRef(expected.prev[k] ?? '', ref))
    if (info.masterRef !== undefined) checkRef(`-1_8000000000000000_${info.masterRef.seqno}`, info.masterRef)
    for (const { workchain, shard, descr } of shards) checkRef(toFileName(workchain, shard, descr.seqno), descr)
    if (expected.workchain === -1) {
      const tops = shards.map(({ workchain, shard, descr }) => toFileName(workchain, shard, descr.seqno))
      assert.deepEqual(tops, masterchain_shards[expected.seqno])
    }
  }
  assert.equal(tally.counts.get('Block'), 1511)
  assert.equal(tally.counts.get('transactions'), 3935)
  t.diagnostic(String(tally))
})

type MainnetRef = {
  readonly end_lt: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
}
type MainnetBlock = {
  readonly file: string
  readonly root_hash: string
  /** Absent where nobody knows it, and not that of the file where `sha256` is there. */
  readonly file_hash?: string
  readonly sha256?: string
  readonly gen_software?: { readonly version: number; readonly capabilities: string }
  readonly master_ref?: MainnetRef
  readonly prev: readonly MainnetRef[]
  readonly computed: {
    readonly tx_count: number
    readonly account_count: number
    readonly in_msg_count: number
    readonly out_msg_count: number
    readonly shards?: readonly unknown[]
    readonly config_params?: readonly number[]
  }
  readonly transactions?: readonly [string, string, string][]
  readonly transactions_digest?: string
  readonly asserted?: { readonly file: string }
}

const toRef = ({ endLt, seqno, rootHash, fileHash }: ExtBlkRef): MainnetRef => ({
  end_lt: String(endLt),
  seqno,
  root_hash: toHex(rootHash),
  file_hash: toHex(fileHash),
})

const describe = ({ block, info, extra, mcExtra, shards, inMsgs, outMsgs }: RewrittenBlock): object => {
  const transactions = listTransactions(extra)
  const state = readMerkleUpdate(block.stateUpdate)
  const { workchain, shard, seqno } = info
  return {
    workchain,
    shard: formatShard(shard),
    seqno,
    key_block: info.keyBlock,
    global_id: block.globalId,
    version: info.version,
    gen_utime: info.genUtime,
    start_lt: String(info.startLt),
    end_lt: String(info.endLt),
    vert_seqno: info.vertSeqno,
    flags: info.genSoftware === undefined ? 0 : 1,
    after_merge: info.afterMerge,
    before_split: info.beforeSplit,
    after_split: info.afterSplit,
    want_split: info.wantSplit,
    want_merge: info.wantMerge,
    gen_validator_list_hash_short: info.genValidatorListHashShort,
    gen_catchain_seqno: info.genCatchainSeqno,
    min_ref_mc_seqno: info.minRefMcSeqno,
    prev_key_block_seqno: info.prevKeyBlockSeqno,
    gen_software: info.genSoftware && { ...info.genSoftware, capabilities: String(info.genSoftware.capabilities) },
    master_ref: info.masterRef && toRef(info.masterRef),
    prev: openPrevRef(info).map(toRef),
    rand_seed: toHex(extra.randSeed),
    created_by: toHex(extra.createdBy),
    state_hash: { old: toHex(state.before.hash(0)), new: toHex(state.after.hash(0)) },
    computed: {
      tx_count: transactions.length,
      account_count: openAccountBlocks(extra).entries().length,
      in_msg_count: inMsgs.length,
      out_msg_count: outMsgs.length,
      shards: mcExtra && shards.map(({ descr, ...id }) => ({ ...id, shard: formatShard(id.shard), ...leafIds(descr) })),
      config_params: mcExtra?.config?.config.entries().map(([id]) => id),
    },
    transactions: transactions.length > 30 ? undefined : transactions,
    transactions_digest: transactions.length > 30 ? digest(transactions) : undefined,
  }
}

const leafIds = ({ seqno, rootHash, fileHash }: { seqno: number; rootHash: Uint8Array; fileHash: Uint8Array }) => ({
  seqno,
  root_hash: toHex(rootHash),
  file_hash: toHex(fileHash),
})

const digest = (transactions: readonly [string, string, string][]): string =>
  toHex(
    sha256(
      Buffer.from(
        transactions
          .map(([, , hash]) => hash)
          .sort()
          .join('\n'),
      ),
    ),
  )

/** The index entry with nothing but what a block itself says, in the shape of `describe`. */
const expectedOf = (entry: MainnetBlock): object => {
  const { file: _, root_hash, file_hash, sha256: own, asserted, ...rest } = entry
  const { network, file_hash_basis, source, ...said } = rest as Record<string, unknown>
  const { tx_types, ...computed } = entry.computed as Record<string, unknown>
  return {
    ...said,
    gen_software: entry.gen_software,
    master_ref: entry.master_ref,
    computed: { ...computed, shards: entry.computed.shards, config_params: sortedIds(entry.computed.config_params) },
    transactions: entry.transactions,
    transactions_digest: entry.transactions_digest,
  }
}

/** Dictionaries keep negative numbers behind the others. */
const sortedIds = (ids: readonly number[] | undefined): readonly number[] | undefined =>
  ids && [...ids].sort((a, b) => (a >>> 0) - (b >>> 0))

type AssertedAmount = { readonly Grams: string; readonly Other: Readonly<Record<string, string>> } | null
type Asserted = {
  readonly asserted: {
    readonly ValueFlow: Readonly<Record<string, AssertedAmount>>
    readonly InMsgDescrLength: number
    readonly OutMsgDescrLength: number
  }
}

const toAmount = (amount: CurrencyCollection | undefined): AssertedAmount =>
  amount === undefined
    ? null
    : {
        Grams: String(amount.grams),
        Other: Object.fromEntries(amount.extra.entries().map(([id, value]) => [String(id), String(value)])),
      }

const checkAsserted = ({ valueFlow, inMsgs, outMsgs }: RewrittenBlock, file: string): void => {
  const { asserted } = readFixtureJson<Asserted>(`mainnet/blocks/${file}`)
  const flow = {
    FromPrevBlk: toAmount(valueFlow.fromPrevBlk),
    ToNextBlk: toAmount(valueFlow.toNextBlk),
    Imported: toAmount(valueFlow.imported),
    Exported: toAmount(valueFlow.exported),
    FeesCollected: toAmount(valueFlow.feesCollected),
    Burned: toAmount(valueFlow.burned),
    FeesImported: toAmount(valueFlow.feesImported),
    Recovered: toAmount(valueFlow.recovered),
    Created: toAmount(valueFlow.created),
    Minted: toAmount(valueFlow.minted),
  }
  assert.deepEqual(flow, asserted.ValueFlow)
  assert.deepEqual([inMsgs.length, outMsgs.length], [asserted.InMsgDescrLength, asserted.OutMsgDescrLength])
}

test('every recorded block of other networks says what its index says and is written back to the same cells', (t) => {
  if (!haveFixtures(t, 'mainnet/blocks')) return
  const tally = new Tally()
  for (const entry of readFixtureJson<MainnetBlock[]>('mainnet/blocks/index.json')) {
    const bytes = readFixture(`mainnet/blocks/${entry.file}`)
    const root = decodeSingleBoc(bytes)
    assert.equal(toHex(root.hash()), entry.root_hash)
    assert.equal(toHex(sha256(bytes)), entry.sha256 ?? entry.file_hash)
    const read = rewriteBlock(root, { ihrFeeCounts: true }, tally)
    assert.deepEqual(describe(read), expectedOf(entry), entry.file)
    if (entry.asserted !== undefined) {
      checkAsserted(read, entry.asserted.file)
      tally.add('asserted value flows')
    }
  }
  assert.equal(tally.counts.get('Block'), 152)
  assert.equal(tally.counts.get('asserted value flows'), 3)
  t.diagnostic(String(tally))
})

test('a block from the time of IHR fees adds up only if they are counted', (t) => {
  const file = 'mainnet/blocks/mainnet/0_2000000000000000_571826.boc'
  if (!haveFixtures(t, file)) return
  const { extra } = rewriteBlock(decodeSingleBoc(readFixture(file)), { ihrFeeCounts: true }, new Tally())
  const dict = openInMsgDescr(extra.inMsgDescr)
  const other = AugDict.of(inMsgDescrType({ ihrFeeCounts: false }), dict.entries())
  assert.ok(other.rootExtra.valueImported.grams < dict.rootExtra.valueImported.grams)
})

type ArchivedBlock = {
  readonly id: string
  readonly root_hash: string
  readonly file_hash: string
  readonly tx_count: number
}

test('every block of the archive packages is the one its entry names and is written back to the same cells', (t) => {
  if (!haveFixtures(t, 'mainnet/archives')) return
  const tally = new Tally()
  for (const file of listFixtures('mainnet/archives', '.pack')) {
    const found: unknown[] = []
    for (const { name, data } of packEntries(readFixture(file))) {
      tally.add(`${name.slice(0, name.indexOf('_'))} entries`)
      if (!name.startsWith('block_')) continue
      const named = parseBlockIdExt(name.slice('block_'.length))
      const root = decodeSingleBoc(data)
      const { info, extra } = rewriteBlock(root, { ihrFeeCounts: true }, tally)
      assert.equal(formatBlockId(info), formatBlockId(named))
      assert.deepEqual([toHex(root.hash()), toHex(sha256(data))], [toHex(named.rootHash), toHex(named.fileHash)])
      found.push({
        id: formatBlockId(info),
        root_hash: toHex(named.rootHash),
        file_hash: toHex(named.fileHash),
        tx_count: listTransactions(extra).length,
        gen_utime: info.genUtime,
        start_lt: String(info.startLt),
        end_lt: String(info.endLt),
        before_split: info.beforeSplit,
        after_split: info.afterSplit,
        after_merge: info.afterMerge,
        key_block: info.keyBlock,
      })
    }
    assert.deepEqual(found, readFixtureJson<ArchivedBlock[]>(file.replace('.pack', '.entries.json')), file)
  }
  assert.equal(tally.counts.get('block entries'), 684)
  t.diagnostic(String(tally))
})
