import type { RecordedStep } from '../../chain/recording.ts'
import type { Arguments, RunSources, Source } from './RunSources.ts'

type StopReason = 'breakpoint' | 'instruction breakpoint' | 'exception'

export const EXCEPTION_FILTERS = [
  { filter: 'uncaught', label: 'Uncaught exceptions', default: true },
  { filter: 'all', label: 'All exceptions' },
]

/** Lines, instructions and exceptions at which a run stops. */
export class Breakpoints {
  private readonly sources: RunSources
  private filters: readonly string[] = ['uncaught']
  private codeBreakpoints: ReadonlySet<number> = new Set()
  private instructionBreakpoints: ReadonlySet<number> = new Set()
  /** Lines by file. */
  private readonly fileBreakpoints = new Map<number, ReadonlySet<number>>()

  constructor(sources: RunSources) {
    this.sources = sources
  }

  setExceptions(args: Arguments): void {
    this.filters = listOf(args['filters']).map(String)
  }

  /** A line without an instruction stands for the next one that has. */
  setLines(args: Arguments): unknown[] {
    const { source = {}, breakpoints } = args as { source?: Partial<Source>; breakpoints?: readonly { line: number }[] }
    const wanted = listOf(breakpoints).map((each) => Number((each as { readonly line: number }).line))
    const file = this.sources.findFile(source)
    if (file !== undefined) {
      const known = this.sources.linesOf(file)
      this.fileBreakpoints.set(file, new Set(wanted))
      return wanted.map((line) => ({ verified: known.has(line), line }))
    }
    const lines = wanted.map((line) => this.sources.document.findInstruction(line))
    this.codeBreakpoints = new Set(lines.filter((line) => line !== undefined))
    return lines.map((line, k) => ({
      verified: line !== undefined,
      line: line ?? wanted[k],
      source: this.sources.codeSource,
    }))
  }

  setInstructions(args: Arguments): unknown[] {
    const lines = listOf(args['breakpoints']).map((each) => {
      const { instructionReference, offset = 0 } = each as { instructionReference: string; offset?: number }
      return this.sources.document.findInstruction(Number(instructionReference) + offset)
    })
    this.instructionBreakpoints = new Set(lines.filter((line) => line !== undefined))
    return lines.map((line) => ({
      verified: line !== undefined,
      ...(line !== undefined && { instructionReference: addressOf(line) }),
    }))
  }

  /** Why a run stops before a step, coming from another; `undefined` if it goes on. */
  find(step: RecordedStep, before: RecordedStep | undefined): StopReason | undefined {
    const { exc } = step
    if (exc !== undefined && (this.filters.includes('all') || (!exc.caught && this.filters.includes('uncaught'))))
      return 'exception'
    const line = this.sources.document.lineOf(step)
    if (this.instructionBreakpoints.has(line)) return 'instruction breakpoint'
    if (this.codeBreakpoints.has(line)) return 'breakpoint'
    const place = this.sources.placeOf(step)
    if (place === undefined || this.fileBreakpoints.get(place.f)?.has(place.l) !== true) return undefined
    // A line has many instructions: the first of them stops.
    const last = before && this.sources.placeOf(before)
    return last?.l === place.l && last.f === place.f ? undefined : 'breakpoint'
  }
}

/** A line of the disassembly as an address. */
export const addressOf = (line: number): string => `0x${line.toString(16)}`

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
