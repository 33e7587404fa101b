import { StackTooLargeError } from '../errors.ts'
import type { SpelledCells } from './countSpelledCells.ts'

const maxEntries = 1 << 16
const maxCells = 1 << 16
const maxBytes = 16 * 1024 * 1024
/** Cells that may be spelled out whatever they are, and how many times over each may be on average beyond that. */
const freeCells = 4096
const timesOver = 4

/**
 * What one answer may take. Cells may be shared, and a few of them can spell out endlessly many; a stack may hold the same
 * large cell in every entry.
 */
export class AnswerBudget {
  private entries = 0
  private spelled = 0
  private distinct = 0
  private bytes = 0

  /** A value, those within others too. */
  takeEntry(): void {
    if (++this.entries > maxEntries) throw new StackTooLargeError()
  }

  /** Cells that are to be spelled out. Whoever sends a few gets no flood of them back. */
  takeCells({ spelled, distinct }: SpelledCells): void {
    this.spelled += spelled
    this.distinct += distinct
    if (this.spelled > Math.min(maxCells, freeCells + timesOver * this.distinct)) throw new StackTooLargeError()
  }

  /** A text. */
  take(text: string): string {
    this.bytes += text.length
    if (this.bytes > maxBytes) throw new StackTooLargeError()
    return text
  }
}
