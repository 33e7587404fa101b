import type { RecordedStep } from '../../chain/recording.ts'
import { type SourceMap, type SourcePosition, SourcePositions } from '../sources/SourceMap.ts'
import type { CodeDocument } from './CodeDocument.ts'
import type { DapRequest } from './messages.ts'

export type Arguments = NonNullable<DapRequest['arguments']>

/** A source as the protocol names it: a file, or a text that the editor asks for by its number. */
export type Source = { readonly name: string; readonly path?: string; readonly sourceReference?: number }

const DISASSEMBLY = 1
const FIRST_FILE = 2

export type SourceOptions = {
  readonly name: string
  readonly map?: SourceMap | undefined
  /** The absolute path of a source file. */
  readonly toPath?: (path: string) => string
}

/** What an editor can open: the disassembly, and the files of the source map. */
export class RunSources {
  readonly document: CodeDocument
  private readonly run: SourceOptions
  private readonly places: SourcePositions | undefined

  constructor(document: CodeDocument, run: SourceOptions) {
    this.document = document
    this.run = run
    this.places = run.map && new SourcePositions(run.map)
  }

  placeOf(step: RecordedStep): SourcePosition | undefined {
    return this.places?.ofStep(step)
  }

  get codeSource(): Source {
    return { name: `${this.run.name}.tasm`, sourceReference: DISASSEMBLY }
  }

  fileSource(at: number): Source {
    const file = this.run.map?.files[at]
    const name = file?.path ?? `file ${at}`
    // The text that came with the map is that which was compiled.
    if (file?.text !== undefined) return { name, sourceReference: FIRST_FILE + at }
    return { name, path: this.run.toPath?.(name) ?? name }
  }

  list(): Source[] {
    return [this.codeSource, ...(this.run.map?.files ?? []).map((_file, at) => this.fileSource(at))]
  }

  read(args: Arguments): { readonly content: string; readonly mimeType: string } {
    const { source = {}, sourceReference } = args as { source?: Partial<Source>; sourceReference?: number }
    const reference = Number(source.sourceReference ?? sourceReference)
    if (reference === DISASSEMBLY) return { content: this.document.text, mimeType: 'text/plain' }
    const text = this.run.map?.files[reference - FIRST_FILE]?.text
    if (text === undefined) throw new Error('There is no such source.')
    return { content: text, mimeType: 'text/plain' }
  }

  /** `undefined` for the disassembly. */
  findFile({ sourceReference = 0, path, name }: Partial<Source>): number | undefined {
    if (sourceReference === DISASSEMBLY) return undefined
    if (sourceReference >= FIRST_FILE) return sourceReference - FIRST_FILE
    const given = path ?? name ?? ''
    const files = this.run.map?.files ?? []
    const at = files.findIndex((file, k) => this.fileSource(k).path === given || given.endsWith(`/${file.path}`))
    return at < 0 ? undefined : at
  }

  /** Lines of a file that have code. */
  linesOf(file: number): ReadonlySet<number> {
    return new Set((this.run.map?.places ?? []).flatMap((place) => (place?.f === file ? [place.l] : [])))
  }
}
