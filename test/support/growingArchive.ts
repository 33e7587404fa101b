import { appendFileSync, mkdirSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packHead } from './encodePack.ts'

/** An entry of a package. `seqno` is the masterchain block that cannot be a head without it, if any. */
export type Piece = { readonly file: string; readonly bytes: Uint8Array; readonly seqno: number | undefined }

/** Packages that are written bit by bit, and the head that a reader may see at each moment. */
export class GrowingArchive {
  private readonly root: string
  private readonly contents = new Map<string, Uint8Array>()
  private readonly written = new Map<string, number>()
  private readonly ends: readonly { readonly seqno: number; readonly file: string; readonly end: number }[]

  constructor(root: string, pieces: readonly Piece[]) {
    this.root = root
    const parts = new Map<string, Uint8Array[]>()
    this.ends = pieces.flatMap(({ file, bytes, seqno }) => {
      const list = parts.get(file) ?? [packHead]
      parts.set(file, list)
      list.push(bytes)
      const end = list.reduce((sum, { length }) => sum + length, 0)
      return seqno === undefined ? [] : [{ seqno, file, end }]
    })
    for (const [file, list] of parts) this.contents.set(file, Buffer.concat(list))
  }

  get files(): string[] {
    return [...this.contents.keys()]
  }

  get isDone(): boolean {
    return this.files.every((file) => this.sizeOf(file) === this.contents.get(file)!.length)
  }

  sizeOf(file: string): number {
    return this.written.get(file) ?? 0
  }

  /** Appends up to so many bytes to a file; false where it has them all. */
  grow(file: string, length: number): boolean {
    const content = this.contents.get(file)!
    const at = this.sizeOf(file)
    if (at === content.length) return false
    mkdirSync(dirname(join(this.root, file)), { recursive: true })
    appendFileSync(join(this.root, file), content.subarray(at, at + length))
    this.written.set(file, Math.min(content.length, at + length))
    return true
  }

  /** Cuts up to so many bytes off the end of a file. */
  cut(file: string, length: number): void {
    const size = Math.max(0, this.sizeOf(file) - length)
    if (this.sizeOf(file) > 0) truncateSync(join(this.root, file), size)
    this.written.set(file, size)
  }

  /** The newest seqno for which, and for all before which, every entry is written; 0 if there is none. */
  get head(): number {
    const missing = this.ends.filter(({ file, end }) => this.sizeOf(file) < end).map(({ seqno }) => seqno)
    return missing.length === 0 ? Math.max(...this.ends.map(({ seqno }) => seqno)) : Math.min(...missing) - 1
  }
}
