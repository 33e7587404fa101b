import cluster from 'node:cluster'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SharedHeads, SharedSeqno } from '../../../node/TrustedChain.ts'

/** Where a worker finds the file: after its standard streams and the channel to the primary. */
const SHARED_FD = 4
/** By which a worker knows its row. */
export const SLOT_VARIABLE = 'CHAINCENTER_WORKER_SLOT'

const BYTES = 4

/**
 * A file without a name that a primary process hands to its workers: processes of Node.js have no memory in common, and a message
 * takes longer than a client needs to go from one worker to the next. Reading it takes about a microsecond.
 *
 * A number is a row with a cell for each worker, who writes into his own alone: its value is the greatest of them.
 */
export const createSharedFile = (): { readonly fd: number; close(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-'))
  try {
    const fd = openSync(join(folder, 'heads'), 'w+')
    return { fd, close: () => closeSync(fd) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A worker's view of the file. */
export class SharedSeqnos {
  private readonly fd: number
  private readonly slot: number
  private readonly workers: number

  constructor(fd: number, { slot, workers }: { readonly slot: number; readonly workers: number }) {
    this.fd = fd
    this.slot = slot
    this.workers = workers
  }

  /** The numbers of the n-th chain: one for each pool of nodes. */
  headsOf(chain: number): SharedHeads {
    return { head: this.row(2 * chain), consensus: this.row(2 * chain + 1) }
  }

  private row(row: number): SharedSeqno {
    const { fd, slot, workers } = this
    const cells = Buffer.alloc(workers * BYTES)
    const own = Buffer.alloc(BYTES)
    const start = row * workers * BYTES
    return {
      read: () => {
        const length = readSync(fd, cells, 0, cells.length, start)
        let seqno = 0
        // A row that was never written is past the end of the file.
        for (let at = 0; at + BYTES <= length; at += BYTES) seqno = Math.max(seqno, cells.readUInt32LE(at))
        return seqno
      },
      publish: (seqno) => {
        own.writeUInt32LE(seqno)
        writeSync(fd, own, 0, BYTES, start + slot * BYTES)
      },
    }
  }
}

/** Processes that answer for `serve`. */
export const workersOf = ({ workers = 1 }: { readonly workers: number | undefined }): number => Math.max(1, workers)

/** What this process shares with the other workers; `undefined` where it is not one of several. */
export const openSharedSeqnos = (workers: number): SharedSeqnos | undefined => {
  const slot = process.env[SLOT_VARIABLE]
  return !cluster.isWorker || slot === undefined
    ? undefined
    : new SharedSeqnos(SHARED_FD, { slot: Number(slot), workers })
}
