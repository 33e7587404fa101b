import { Cell } from '../../../src/codec/cell/Cell.ts'
import type { openCell } from '../../../src/codec/cell/CellReader.ts'
import type { ExtBlkRef } from '../../../src/codec/tlb/BlockInfo.ts'
import { readKeyExtBlkRef, readKeyMaxLt } from '../../../src/codec/tlb/McStateExtra.ts'
import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import { momentOf } from './accountChanges.ts'
import type { BlockContext } from './BlockContext.ts'
import { listDifferences } from './dictDifference.ts'
import type { Findings } from './Findings.ts'

const show = ({ seqno, endLt, rootHash, fileHash }: ExtBlkRef): string =>
  `${seqno} up to ${endLt}: ${toHex(rootHash)}, ${toHex(fileHash)}`

/** What a masterchain state remembers: all earlier blocks, the newest key block, and whether this is one. */
export const checkMasterHistory = (
  { block, before, after, masterId, master }: BlockContext,
  findings: Findings,
): void => {
  const [old, young] = [before[0]!.master.history, after.master.history]
  const previous: ExtBlkRef = { ...masterId, endLt: master.state.genLt }
  const tree = ({ root }: typeof old.prevBlocks) => ({
    root,
    keyBits: 32,
    read: (leaf: ReturnType<typeof openCell>) => {
      readKeyMaxLt(leaf)
      const { isKey, block: ref } = readKeyExtBlkRef(leaf)
      return `${isKey ? 'key block' : 'block'} ${show(ref)}`
    },
  })
  const changes = listDifferences(tree(old.prevBlocks), tree(young.prevBlocks)).filter(
    (each) => each.before !== each.after,
  )
  const name = `${old.afterKeyBlock ? 'key block' : 'block'} ${show(previous)}`
  findings.equal(
    'prev_blocks, as they grew',
    changes.map((each) => `${each.before} to ${each.after}`).join('; '),
    `undefined to ${name}`,
  )
  findings.equal('key of the new entry of prev_blocks', changes[0]?.key, masterId.seqno.toString(16).padStart(8, '0'))
  const lastKey = old.afterKeyBlock ? previous : old.lastKeyBlock
  findings.equal('last_key_block', young.lastKeyBlock && show(young.lastKeyBlock), lastKey && show(lastKey))
  findings.equal('after_key_block', young.afterKeyBlock, block.info.keyBlock)
  findings.equal('prev_blk_signatures', block.master!.prevBlkSignatures.entries().length, 0)
}

/** A block is a key block where the configuration in the data of its contract changed, and then has it whole. */
export const checkConfig = ({ block, before, after }: BlockContext, findings: Findings): void => {
  const [old, young] = [before[0]!.master.extra.config, after.master.extra.config]
  const dictOf = (root: unknown): Cell | undefined => (root instanceof Cell ? root : undefined)
  const address = toHex(young.configAddr)
  const stored = findStoredConfig(after.accounts.find(fromHex(address)))
  findings.equal('configuration of the state, and of its contract', dictOf(young.config.root), stored)
  const isChanged = !dictOf(young.config.root)?.equals(dictOf(old.config.root)!) || address !== toHex(old.configAddr)
  findings.equal('key_block', block.info.keyBlock, isChanged)
  findings.equal('configuration in the block', block.master!.config !== undefined, isChanged)
  const stated = block.master!.config
  if (stated === undefined) return
  findings.equal('configuration in the block and in the state', dictOf(stated.config.root), dictOf(young.config.root))
  findings.equal('config_addr in the block and in the state', stated.configAddr, young.configAddr)
}

/** The first reference in the data of the contract. */
export const findStoredConfig = (entry: Parameters<typeof momentOf>[0]): Cell | undefined => {
  const { account } = momentOf(entry)
  const data = account.kind === 'account' && account.state.kind === 'active' ? account.state.init.data : undefined
  return data !== undefined && data.refCount > 0 ? data.ref(0) : undefined
}
