import { StackTooLargeError } from '../errors.ts'

const maxCells = 1 << 16
const maxBytes = 16 * 1024 * 1024

/**
 * What one answer may take. Cells may be shared, and a few of them can spell out endlessly many; a stack may hold the same
 * large cell in every entry.
 */
export class AnswerBudget {
  private cells = 0
  private bytes = 0

  /** Cells that are to be spelled out. */
  takeCells(count: number): void {
    this.cells += count
    if (this.cells > maxCells) throw new StackTooLargeError()
  }

  /** A text. */
  take(text: string): string {
    this.bytes += text.length
    if (this.bytes > maxBytes) throw new StackTooLargeError()
    return text
  }
}
