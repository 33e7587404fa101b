import type { RecordedStep } from '../../chain/recording.ts'

/** Where code comes from: positions in code cells by mark, and the places in source files that the marks stand for. */
export type SourceMap = {
  readonly language: string
  readonly compiler?: string
  /** Of the code that it belongs to, in base64, as are the hashes of cells. */
  readonly code_hash: string
  readonly files: readonly { readonly path: string; readonly text?: string }[]
  /** By cell: offset in bits and mark, in the order of offsets. */
  readonly marks: Readonly<Record<string, readonly (readonly [offset: number, mark: number])[]>>
  /** By mark; `null` for a mark that stands for no place. */
  readonly places: readonly (SourcePosition | null)[]
  /** Names of methods by number, and of exit codes. */
  readonly methods: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
  readonly abi?: unknown
}

/** Lines and columns count from 1. */
export type SourcePosition = {
  /** Position in the list of files. */
  readonly f: number
  readonly l: number
  readonly c: number
  readonly el?: number
  readonly ec?: number
  readonly fn?: string
  /** The function that it was inlined into. */
  readonly inlined?: string
  readonly vars?: readonly string[]
}

/** Whether a map is that of the code which ran: any other would show wrong lines. */
export const matchesCode = (map: SourceMap, codeHash: string): boolean => map.code_hash === codeHash

/** Finds places of steps: that of the mark with the largest offset not beyond the step's. */
export class SourcePositions {
  private readonly map: SourceMap
  private readonly known = new Map<string, SourcePosition | undefined>()

  constructor(map: SourceMap) {
    this.map = map
  }

  find(cell: string, offset: number): SourcePosition | undefined {
    const key = `${cell}:${offset}`
    if (this.known.has(key)) return this.known.get(key)
    const place = this.search(cell, offset)
    this.known.set(key, place)
    return place
  }

  ofStep({ cell, offset }: Pick<RecordedStep, 'cell' | 'offset'>): SourcePosition | undefined {
    return this.find(cell, offset)
  }

  private search(cell: string, offset: number): SourcePosition | undefined {
    let found: SourcePosition | undefined
    for (const [at, mark] of this.map.marks[cell] ?? []) {
      if (at > offset) break
      found = this.map.places[mark] ?? found
    }
    return found
  }
}
