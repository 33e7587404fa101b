// Blocks as the node's own command line client printed them, against what we read of the same files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import type { ValueFlow } from '../../src/codec/tlb/Block.ts'
import { type BlockInfo, type ExtBlkRef, openPrevRef } from '../../src/codec/tlb/BlockInfo.ts'
import type { InMsg } from '../../src/codec/tlb/InMsgDescr.ts'
import { type IntermediateAddress, type MsgEnvelope, openMsgEnvelope } from '../../src/codec/tlb/MsgEnvelope.ts'
import type { OutMsg } from '../../src/codec/tlb/OutMsgDescr.ts'
import type { ShardDescr } from '../../src/codec/tlb/ShardHashes.ts'
import { toUpperHex } from '../../src/primitives/hex.ts'
import { shardPrefix, shardPrefixLength } from '../../src/primitives/shard.ts'
import { fixturePath, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { rewriteBlock, Tally } from '../support/rewriteBlock.ts'

const printRef = ({ endLt, seqno, rootHash, fileHash }: ExtBlkRef): string =>
  `(ext_blk_ref end_lt:${endLt} seq_no:${seqno} root_hash:x${toUpperHex(rootHash)} file_hash:x${toUpperHex(fileHash)})`

const bit = (value: boolean): number => (value ? 1 : 0)

const printInfo = (info: BlockInfo): string => {
  const [prev1, prev2] = openPrevRef(info)
  return [
    `info:(block_info version:${info.version} not_master:${bit(info.masterRef !== undefined)}`,
    `after_merge:${bit(info.afterMerge)} before_split:${bit(info.beforeSplit)} after_split:${bit(info.afterSplit)}`,
    `want_split:${bit(info.wantSplit)} want_merge:${bit(info.wantMerge)} key_block:${bit(info.keyBlock)}`,
    `vert_seqno_incr:${bit(info.prevVertRef !== undefined)} flags:${bit(info.genSoftware !== undefined)}`,
    `seq_no:${info.seqno} vert_seq_no:${info.vertSeqno}`,
    `shard:(shard_ident shard_pfx_bits:${shardPrefixLength(info.shard)} workchain_id:${info.workchain}`,
    `shard_prefix:${shardPrefix(info.shard)})`,
    `gen_utime:${info.genUtime} start_lt:${info.startLt} end_lt:${info.endLt}`,
    `gen_validator_list_hash_short:${info.genValidatorListHashShort} gen_catchain_seqno:${info.genCatchainSeqno}`,
    `min_ref_mc_seqno:${info.minRefMcSeqno} prev_key_block_seqno:${info.prevKeyBlockSeqno}`,
    `gen_software:(capabilities version:${info.genSoftware?.version} capabilities:${info.genSoftware?.capabilities})`,
    ...(info.masterRef === undefined ? [] : [`master_ref:(master_info master:${printRef(info.masterRef)})`]),
    prev2 === undefined
      ? `prev_ref:(prev_blk_info prev:${printRef(prev1)}))`
      : `prev_ref:(prev_blks_info prev1:${printRef(prev1)} prev2:${printRef(prev2)}))`,
  ].join(' ')
}

const printShard = (descr: ShardDescr): string => {
  const { splitMergeAt: at } = descr
  return [
    `${descr.feesInRef ? 'shard_descr_new' : 'shard_descr'} seq_no:${descr.seqno} reg_mc_seqno:${descr.regMcSeqno}`,
    `start_lt:${descr.startLt} end_lt:${descr.endLt}`,
    `root_hash:x${toUpperHex(descr.rootHash)} file_hash:x${toUpperHex(descr.fileHash)}`,
    `before_split:${bit(descr.beforeSplit)} before_merge:${bit(descr.beforeMerge)}`,
    `want_split:${bit(descr.wantSplit)} want_merge:${bit(descr.wantMerge)} nx_cc_updated:${bit(descr.nxCcUpdated)}`,
    `flags:0 next_catchain_seqno:${descr.nextCatchainSeqno} next_validator_shard:${descr.nextValidatorShard}`,
    `min_ref_mc_seqno:${descr.minRefMcSeqno} gen_utime:${descr.genUtime}`,
    at.kind === 'none'
      ? 'split_merge_at:fsm_none'
      : `split_merge_at:(fsm_${at.kind} ${at.kind}_utime:${at.utime} interval:${at.interval})`,
  ].join(' ')
}

const flowNames: readonly (readonly [printed: string, ours: keyof ValueFlow])[] = [
  ['from_prev_blk', 'fromPrevBlk'],
  ['to_next_blk', 'toNextBlk'],
  ['imported', 'imported'],
  ['exported', 'exported'],
  ['fees_collected', 'feesCollected'],
  ['fees_imported', 'feesImported'],
  ['recovered', 'recovered'],
  ['created', 'created'],
  ['minted', 'minted'],
]

const inMsgNames: Record<InMsg['kind'], string> = {
  external: 'msg_import_ext',
  deferredFinal: 'msg_import_deferred_fin',
  deferredTransit: 'msg_import_deferred_tr',
  ihr: 'msg_import_ihr',
  immediate: 'msg_import_imm',
  final: 'msg_import_fin',
  transit: 'msg_import_tr',
  discardedFinal: 'msg_discard_fin',
  discardedTransit: 'msg_discard_tr',
}
const outMsgNames: Record<OutMsg['kind'], string> = {
  external: 'msg_export_ext',
  new: 'msg_export_new',
  immediate: 'msg_export_imm',
  transit: 'msg_export_tr',
  dequeuedImmediate: 'msg_export_deq_imm',
  newDeferred: 'msg_export_new_defer',
  deferredTransit: 'msg_export_deferred_tr',
  dequeued: 'msg_export_deq',
  dequeuedShort: 'msg_export_deq_short',
  requeuedTransit: 'msg_export_tr_req',
}

const printAddress = (address: IntermediateAddress): string =>
  address.kind === 'regular' ? `(interm_addr_regular use_dest_bits:${address.useDestBits})` : address.kind

const printEnvelope = ({ version, curAddr, nextAddr, fwdFeeRemaining }: MsgEnvelope): string =>
  `${version === 2 ? 'msg_envelope_v2' : 'msg_envelope'} cur_addr:${printAddress(curAddr)} ` +
  `next_addr:${printAddress(nextAddr)} fwd_fee:${fwdFeeRemaining}`

const findAll = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, ...groups]) => groups.join(' '))

const between = (text: string, from: string, to: string): string => {
  const start = text.indexOf(from)
  const end = text.indexOf(to, start)
  assert.ok(start >= 0 && end >= 0, `The printed block has no part between ${from} and ${to}.`)
  return text.slice(start, end)
}

test('blocks are read as the command line client of the node prints them', (t) => {
  const tally = new Tally()
  for (const { file, block } of readFixtureJson<{ file: string; block: string }[]>('localnet/decoded/index.json')) {
    const printed = readFileSync(fixturePath(`localnet/decoded/${file}`), 'utf8').replace(/\s+/g, ' ')
    const root = decodeSingleBoc(readFixture(`localnet/blocks/${block}`))
    const { info, valueFlow, shards, inMsgs, outMsgs } = rewriteBlock(root, { ihrFeeCounts: false }, new Tally())
    assert.ok(printed.includes(printInfo(info)), `${file} prints another header than ${printInfo(info)}`)

    const flow = between(printed, 'value_flow:(value_flow', 'state_update:')
    const amounts = findAll(flow, /(\w+):\(currencies grams:\(nanograms amount:\(var_uint len:\d+ value:(\d+)\)\)/g)
    assert.deepEqual(
      amounts,
      flowNames.map(([name, ours]) => `${name} ${valueFlow[ours]?.grams}`),
    )

    const incoming = between(printed, 'in_msg_descr:', 'out_msg_descr:')
    assert.deepEqual(
      findAll(incoming, /value:\((msg_(?:im|dis)\w+)/g),
      inMsgs.map(({ kind }) => inMsgNames[kind]),
    )
    const envelopes = inMsgs.flatMap((msg) => [
      ...('inMsg' in msg ? [openMsgEnvelope(msg.inMsg)] : []),
      ...('outMsg' in msg ? [openMsgEnvelope(msg.outMsg)] : []),
    ])
    const address = '(\\(interm_addr_regular use_dest_bits:\\d+\\))'
    const head = `\\((msg_envelope(?:_v2)?) (cur_addr:)${address} (next_addr:)${address}`
    const envelopePattern = new RegExp(
      `${head} (fwd_fee)_remaining:\\(nanograms amount:\\(var_uint len:\\d+ value(:\\d+)`,
      'g',
    )
    assert.deepEqual(
      findAll(incoming, envelopePattern).map((text) => text.replace(/(addr:|fwd_fee) /g, '$1')),
      envelopes.map(printEnvelope),
    )
    assert.deepEqual(
      findAll(incoming, /emitted_lt:\(just value:(\d+)\)/g),
      envelopes.flatMap(({ emittedLt }) => (emittedLt === undefined ? [] : [String(emittedLt)])),
    )
    assert.deepEqual(
      findAll(incoming, /\(msg_metadata depth:(\d+) initiator_addr:\(addr_std .*? initiator_lt:(\d+)\)/g),
      envelopes.flatMap(({ metadata }) =>
        metadata === undefined ? [] : [`${metadata.depth} ${metadata.initiatorLt}`],
      ),
    )

    const outgoing = between(printed, 'out_msg_descr:', 'account_blocks:')
    assert.deepEqual(
      findAll(outgoing, /value:\((msg_export\w+)/g),
      outMsgs.map(({ kind }) => outMsgNames[kind]),
    )
    const leaves = findAll(printed, /leaf:\((shard_descr.*? split_merge_at:(?:fsm_none|\(.*?\)))/g)
    assert.deepEqual(
      leaves,
      shards.map(({ descr }) => printShard(descr)),
    )
    tally.add('blocks')
    tally.add('incoming messages', inMsgs.length)
    tally.add('outgoing messages', outMsgs.length)
    tally.add('envelopes', envelopes.length)
    tally.add('shards', shards.length)
  }
  assert.equal(tally.counts.get('blocks'), 13)
  t.diagnostic(String(tally))
})
