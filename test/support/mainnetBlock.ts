import { gunzipSync } from 'node:zlib'
import type { PreviousBlocks } from '../../src/chain/ports.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { openBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { readShardAccount, type ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { readVmStackValue } from '../../src/codec/tlb/VmStack.ts'
import type { VmValue } from '../../src/codec/tlb/VmValue.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { bigintToBytes } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { readFixture } from './fixtures.ts'

/** A block of the main network with all that its transactions need. */
export const MAINNET_BLOCK = 'tvm/tvm_replay_fat_block_66519406.json.gz'

type Recorded = {
  readonly block_boc_base64: string
  readonly previous_accounts: readonly { readonly account: string; readonly shard_account_boc_base64: string }[]
  readonly config: {
    readonly config_root_boc_base64: string
    readonly prev_blocks_stack_boc_base64: string
    readonly libraries_boc_base64: readonly string[]
  }
}

export const readMainnetBlock = () => {
  const recorded = JSON.parse(gunzipSync(readFixture(MAINNET_BLOCK)).toString()) as Recorded
  const bag = (text: string): Cell => decodeSingleBoc(Buffer.from(text, 'base64'))
  const accounts = new Map(
    recorded.previous_accounts.map(({ account, shard_account_boc_base64: boc }) => [
      account,
      readWhole(bag(boc), readShardAccount, 'A ShardAccount'),
    ]),
  )
  const block = openBlock(bag(recorded.block_boc_base64))
  const { config } = recorded
  return {
    info: openBlockInfo(block.info),
    extra: openBlockExtra(block.extra),
    config: bag(config.config_root_boc_base64),
    libraries: config.libraries_boc_base64.map(bag),
    previousBlocks: toPreviousBlocks(readVmStackValue(openCell(bag(config.prev_blocks_stack_boc_base64)))),
    /** Before the block; undefined for one that it creates. */
    findAccount: (hash: Uint8Array): ShardAccount | undefined => accounts.get(`0:${toHex(hash)}`),
  }
}

const itemsOf = (value: VmValue | undefined): readonly VmValue[] => {
  if (value?.kind !== 'tuple') throw new TypeError('Expected a tuple.')
  return value.items
}

const toPreviousBlocks = (value: VmValue): PreviousBlocks => {
  const [last, keyBlock, hundreds] = itemsOf(value)
  return {
    last: itemsOf(last).map(toBlockId),
    keyBlock: toBlockId(keyBlock!),
    lastHundreds: itemsOf(hundreds).map(toBlockId),
  }
}

const toBlockId = (value: VmValue): BlockIdExt => {
  const [workchain, shard, seqno, rootHash, fileHash] = itemsOf(value).map((item) => {
    if (item.kind !== 'int') throw new TypeError('Expected a number.')
    return item.value
  }) as [bigint, bigint, bigint, bigint, bigint]
  return {
    workchain: Number(workchain),
    shard,
    seqno: Number(seqno),
    rootHash: bigintToBytes(rootHash, 32),
    fileHash: bigintToBytes(fileHash, 32),
  }
}
