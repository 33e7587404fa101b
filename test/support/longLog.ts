import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StoredBlock } from '../../src/devnet/store/blockRow.ts'
import { ChainLog, encodeStep } from '../../src/devnet/store/ChainLog.ts'
import { logPath } from '../../src/devnet/store/LoggedFiles.ts'
import { encodePosition, packPath, sliceOf } from '../../src/devnet/store/packPaths.ts'
import { type BlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { putU32LE } from '../../src/primitives/bytes.ts'
import { wholeShard } from '../../src/primitives/shard.ts'

const ENTRY_BYTES = 2000
const HEAD_BYTES = 160

/** A block that exists only in the log: its hashes begin with its number and are otherwise all alike. */
export const loggedId = (workchain: number, seqno: number): BlockIdExt => {
  const rootHash = new Uint8Array(32).fill(workchain & 0xff)
  putU32LE(rootHash, 0, seqno)
  return { workchain, shard: wholeShard, seqno, rootHash, fileHash: rootHash.toReversed() }
}

const describe = (workchain: number, seqno: number): StoredBlock => ({
  id: loggedId(workchain, seqno),
  genUtime: 1_700_000_000 + seqno,
  startLt: BigInt(seqno) * 1_000_000n,
  endLt: BigInt(seqno) * 1_000_000n + 10n,
  isKeyBlock: false,
  prevKeyBlockSeqno: 0,
  prev: [loggedId(workchain, seqno - 1)],
  masterSeqno: seqno,
})

/** Writes the log of a chain with one shard, and packages of the right lengths that are empty. */
export const writeLongLog = (folder: string, steps: number): void => {
  mkdirSync(folder, { recursive: true })
  ChainLog.create(logPath(folder), [loggedId(masterchain, 0), loggedId(0, 0)], false)
  const log = ChainLog.open(logPath(folder), false, () => true)
  let slice = -1
  let end = 4
  for (let seqno = 1; seqno <= steps; seqno++) {
    const next = sliceOf(seqno, 0)
    if (next !== slice) {
      makePackages(folder, slice, end)
      slice = next
      end = 4
    }
    const places = [0, masterchain].map((workchain) =>
      encodePosition({
        slice,
        workchain,
        offset: end + HEAD_BYTES,
        headLength: HEAD_BYTES,
        length: ENTRY_BYTES - HEAD_BYTES,
        proofOffset: 0,
        proofLength: 0,
      }),
    )
    end += ENTRY_BYTES
    log.append(encodeStep([describe(0, seqno), describe(masterchain, seqno)], places))
  }
  makePackages(folder, slice, end)
  log.close()
}

const makePackages = (folder: string, slice: number, length: number): void => {
  if (slice < 0) return
  for (const workchain of [0, masterchain]) {
    const path = packPath(folder, slice, workchain)
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(path, 'w')
    ftruncateSync(file, length)
    closeSync(file)
  }
}
