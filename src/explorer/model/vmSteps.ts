import type { ReplayView } from '../../api/debug/views.ts'

export type VmRun = NonNullable<ReplayView['vm']>
export type Step = VmRun['steps'][number]
export type StackValue = VmRun['final']['stack'][number]
export type Registers = NonNullable<VmRun['registers']>
type Cells = ReplayView['cells']

/** Steps that came in one answer: a checkpoint and all registers stand at the first of them. */
export type StepPage = {
  readonly from: number
  readonly steps: readonly Step[]
  readonly checkpoints: VmRun['checkpoints']
  readonly registers: Registers
  readonly cells: Cells
}

export const toPage = (
  {
    steps_from: from,
    steps,
    checkpoints,
    registers = {},
  }: Pick<VmRun, 'steps_from' | 'steps' | 'checkpoints'> & Partial<Pick<VmRun, 'registers'>>,
  cells: Cells,
): StepPage => ({ from: steps[0]?.i ?? from, steps, checkpoints, registers, cells })

/** Steps of a page: a multiple of what stands between two checkpoints. */
export const PAGE_STEPS = 1024
const MAX_PAGES = 8

const endOf = ({ from, steps }: StepPage): number => from + steps.length

/** The pages that were loaded, newest last. Older ones are dropped, so that memory stays flat however long the run is. */
export type StepPages = readonly StepPage[]

export const addPage = (pages: StepPages, page: StepPage): StepPages =>
  [...pages.filter(({ from }) => from !== page.from), page].slice(-MAX_PAGES)

export const findPage = (pages: StepPages, index: number): StepPage | undefined =>
  pages.find((page) => page.from <= index && index < endOf(page))

export const findStep = (pages: StepPages, index: number): Step | undefined => {
  const page = findPage(pages, index)
  return page?.steps[index - page.from]
}

/** Where to load from to get a step. The server may end a page early for its size: then the rest begins after it. */
export const pageStart = (pages: StepPages, index: number): number => {
  const start = index - (index % PAGE_STEPS)
  const ends = pages.filter(({ from }) => from >= start).map(endOf)
  return Math.max(start, ...ends.filter((end) => end <= index))
}

/** The stack before a step of the page, bottom first: the nearest checkpoint, and the differences from there on. */
export const stackBefore = ({ from, steps, checkpoints }: StepPage, index: number): readonly StackValue[] => {
  let at = index
  while (at > from && checkpoints[at] === undefined) at--
  const stack = [...(checkpoints[at] ?? [])]
  for (; at < index; at++) {
    const { pop = 0, push = [] } = steps[at - from]!
    stack.length = Math.max(0, stack.length - pop)
    stack.push(...push)
  }
  return stack
}

/** The control registers before a step of the page. */
export const registersBefore = ({ from, steps, registers }: StepPage, index: number): Registers => {
  let known = registers
  for (let at = from; at < index; at++) {
    const changed = steps[at - from]!.reg
    if (changed === undefined) continue
    known = { ...known, ...changed, ...(changed.c7 !== undefined && { c7: mergePaths(known.c7, changed.c7) }) }
  }
  return known
}

type Paths = NonNullable<Registers['c7']>

/** A path that is set anew replaces everything below it. */
const mergePaths = (known: Paths = {}, changed: Paths): Paths => {
  const kept = Object.entries(known).filter(
    ([path]) => !Object.keys(changed).some((set) => path === set || path.startsWith(`${set}.`)),
  )
  return { ...Object.fromEntries(kept), ...changed }
}

/** Over: past what the instruction calls. Out: to where the present call returns to. */
export type Skip = 'over' | 'out'

/** The step that a skip from a call depth ends at; `undefined` where the steps do not reach so far. */
export const findSkipEnd = (steps: readonly Pick<Step, 'i' | 'd'>[], skip: Skip, depth: number): number | undefined =>
  steps.find(({ d }) => (skip === 'over' ? d <= depth : d < depth))?.i
