import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { formatBlockId, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { readBlock } from './BlockFiles.ts'
import { BlockIndex } from './BlockIndex.ts'
import { ChainLog, readStep } from './ChainLog.ts'
import { ChainDataError } from './errors.ts'
import { reasonOf } from './fileWrites.ts'
import { logPath } from './LoggedFiles.ts'
import { PackFiles } from './packFiles.ts'

/** What is wrong with a block in a package. */
export type Damage = {
  /** The masterchain block that includes it. */
  readonly masterSeqno: number
  readonly block: string
  readonly file: string
  readonly reason: string
}

export type VerifyFolderOptions = {
  /** Masterchain blocks from which and up to which it is looked. */
  readonly from: number
  readonly to: number
  readonly signal: AbortSignal
  readonly onDamage: (damage: Damage) => void
  readonly onProgress?: (masterSeqno: number, last: number) => void
}

export type VerifiedFolder = { readonly blocks: number; readonly damaged: number }

/** Others in the process have their turn at least this often. */
const TURN_MS = 50

/** Whether a folder holds a chain of this program. */
export const hasChain = (folder: string): boolean => existsSync(logPath(folder))

/**
 * Reads every block of a chain in its packages and compares it with the hash recorded at the write. Read-only;
 * another process may work on the chain meanwhile.
 */
export const verifyChainFolder = async (
  folder: string,
  { from, to, signal, onDamage, onProgress }: VerifyFolderOptions,
): Promise<VerifiedFolder> => {
  const chain = openForReading(folder)
  const { index } = chain
  const end = index.countAt(Math.min(to, index.steps))
  let [blocks, damaged, turn] = [0, 0, performance.now()]
  try {
    for (let number = index.countAt(from - 1); number < end; number++) {
      signal.throwIfAborted()
      const { id, masterSeqno } = index.get(number)
      const reason = findFault(chain, number)
      blocks++
      if (reason !== undefined && isNamedStill(folder, chain, number)) {
        damaged++
        onDamage({ masterSeqno, block: formatBlockId(id), file: chain.packs.locate(number), reason })
      }
      if (performance.now() - turn < TURN_MS) continue
      onProgress?.(masterSeqno, index.steps)
      await nextTurn()
      turn = performance.now()
    }
    return { blocks, damaged }
  } finally {
    chain.packs.close()
  }
}

type OpenChain = { readonly index: BlockIndex; readonly packs: PackFiles }

const openForReading = (folder: string): OpenChain => {
  const index = new BlockIndex()
  const packs = new PackFiles(folder, false, 'r')
  const takeBlock = (bytes: Uint8Array, row: number, position: number, second: Uint8Array | undefined): void => {
    index.addRow(bytes, row, second)
    packs.addPosition(bytes, position)
  }
  const take = (bytes: Uint8Array, at: number, length: number): boolean =>
    readStep(bytes, at, length, index.steps + 1, { takeBlock })
  ChainLog.open(logPath(folder), false, take, 'r').close()
  return { index, packs }
}

const findFault = ({ index, packs }: OpenChain, number: number): string | undefined => {
  try {
    readBlock(packs, index, number)
    const proof = packs.find('proof', number)
    if (proof !== undefined)
      expectBag(proof, `The proof of block ${formatBlockId(index.get(number).id)} in ${packs.locate(number)}`)
    return undefined
  } catch (error) {
    if (error instanceof CodedError) return error.message
    throw error
  }
}

const expectBag = (proof: Uint8Array, name: string): void => {
  try {
    decodeSingleBoc(proof)
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`${name} is damaged: ${reasonOf(cause)}`, { cause })
  }
}

/** A process that is at work may have taken the block back meanwhile, and written another in its place. */
const isNamedStill = (folder: string, { index }: OpenChain, number: number): boolean => {
  const now = openForReading(folder)
  now.packs.close()
  return (
    number < now.index.count && formatBlockIdExt(now.index.get(number).id) === formatBlockIdExt(index.get(number).id)
  )
}
