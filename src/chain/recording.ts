/**
 * A recorded run of the virtual machine as plain data, ready for JSON. Members have the names of the wire, and hashes are base64, so
 * that nothing has to be renamed on the way out.
 */

/** The most steps that one recording holds: ask for the next page from where this one ends. */
export const MAX_RECORDED_STEPS = 20_000

/** A checkpoint with the full stack stands at the first step of a recording and at every multiple of this. */
export const CHECKPOINT_EVERY = 256

export type StepWindow = {
  readonly from: number
  readonly count: number
  /** Of the run inside the run that these RUNVM steps lead to; of the runs around it those steps alone are kept. */
  readonly path?: readonly number[]
}

export type RecordOptions = {
  /** Which steps to keep, at most {@link MAX_RECORDED_STEPS}; `undefined` for none, which leaves the summary. */
  readonly window: StepWindow | undefined
  /** `diff`: `pop` and `push` of each step and checkpoints; otherwise the stack before each step, whole or its top. */
  readonly stack: 'diff' | 'full' | 'none' | { readonly top: number }
  /** Registers that a step changed, and all of them at the first step. */
  readonly registers: boolean
  /** Cells of stack and registers as bags of cells. */
  readonly cells: boolean
  /** The log of the whole run with the stack, in `run.log`. */
  readonly log: boolean
}

/** A value of the stack. Cells are named by their hash. */
export type RecordedValue =
  | { readonly t: 'int'; readonly v: string }
  | { readonly t: 'nan' }
  | { readonly t: 'null' }
  | { readonly t: 'cell'; readonly h: string }
  /** The cell, and which of its bits and references. */
  | {
      readonly t: 'slice'
      readonly h: string
      readonly b: readonly [from: number, to: number]
      readonly r: readonly [from: number, to: number]
    }
  /** `h` is that of the cell which it would make. */
  | { readonly t: 'builder'; readonly h: string }
  | { readonly t: 'tuple'; readonly v: readonly RecordedValue[] }
  /** `k` is its kind; ordinary ones have the hash of their code cell and an offset in it. */
  | { readonly t: 'cont'; readonly k: string; readonly h?: string; readonly o?: number }
  /** Left out: too many values in one tuple, or nested too deep. */
  | { readonly t: 'cut' }

/** Continuations in c0 to c3, hashes of c4 and c5, and what changed in c7: paths such as `1` or `0.6`. */
export type RecordedRegisters = {
  readonly c0?: RecordedValue
  readonly c1?: RecordedValue
  readonly c2?: RecordedValue
  readonly c3?: RecordedValue
  readonly c4?: string
  readonly c5?: string
  readonly c7?: Readonly<Record<string, RecordedValue>>
}

export type RecordedException = {
  readonly code: number
  readonly text: string
  /** Whether a handler of the contract got it. */
  readonly caught: boolean
}

export type RecordedStep = {
  readonly i: number
  /** Code cell, and the bit where the instruction begins. */
  readonly cell: string
  readonly offset: number
  /** With operands, in the words of a node's log. */
  readonly op: string
  /** Taken by this step, cells that it loads and exceptions that it throws included. */
  readonly gas: number
  /** Left afterwards. */
  readonly left: number
  /** With `stack: 'diff'`: take `pop` values off the top of the stack, then put these on. */
  readonly pop?: number
  readonly push?: readonly RecordedValue[]
  /** With `full` and `top`: the stack before the step, bottom first, and how many values stand on it. */
  readonly stack?: readonly RecordedValue[]
  readonly depth?: number
  /** Call depth. */
  readonly d: number
  /** Registers that this step changed, as they are afterwards. */
  readonly reg?: RecordedRegisters
  /** Position of the action that it queued. */
  readonly act?: number
  readonly exc?: RecordedException
  /** The run that RUNVM made. */
  readonly child?: RecordedChild
}

/** Where and why a run failed. */
export type RecordedFailure = RecordedException & {
  /** Absent where there was no code to run. */
  readonly step?: number
  readonly location?: { readonly cell: string; readonly offset: number }
}

export type RecordedThrow = RecordedException & { readonly step: number }

/** What a run and a run inside it have in common. */
export type RecordedRun = {
  /** Of the code that ran: what a library reference stands for, not the reference. */
  readonly code_hash: string
  readonly gas: { readonly limit: number; readonly credit: number; readonly used: number; readonly price: string }
  /** Steps of this run alone. Transactions count more: an exception is a step there. */
  readonly steps_total: number
  readonly steps_from: number
  /** Whether steps or values that were asked for are left out for their size. Go on from the step after the last. */
  readonly truncated: boolean
  readonly exit_code: number
  readonly exit_arg?: number
  readonly steps: readonly RecordedStep[]
  /** Stack before a step, bottom first, by its number. */
  readonly checkpoints: Readonly<Record<string, readonly RecordedValue[]>>
  /** Present when the run did not succeed. */
  readonly failure?: RecordedFailure
  /** All exceptions, caught or not, at most 1,000. */
  readonly throws: readonly RecordedThrow[]
}

/** A run inside a run; of its steps the first 1,000 are kept, or those of a window that names it. */
export type RecordedChild = RecordedRun

/** A run inside a run as the whole run's list tells of it. */
export type RecordedChildSummary = {
  /** The RUNVM step of the outermost run; further steps lead through runs inside runs. */
  readonly path: readonly number[]
  readonly code_hash: string
  readonly exit_code: number
  readonly gas_used: number
  readonly steps_total: number
  readonly failure?: RecordedFailure
}

export type VmRecording = RecordedRun & {
  /** The method that was called: 0 for an internal message, −1 for an external one, −2 for tick and tock. */
  readonly entry: { readonly method_id: number; readonly name?: string }
  /** Set where the network charges a fixed price for this code instead of what its steps cost. */
  readonly precompiled?: true
  readonly final: { readonly stack: readonly RecordedValue[]; readonly c4: string; readonly c5: string }
  /** With `registers`: all of them before the first step kept. */
  readonly registers?: RecordedRegisters
  /** The step that queued each out action, in the order of the list that the run left. */
  readonly actions: readonly number[]
  /** Runs inside this one, at most 1,000. */
  readonly children: readonly RecordedChildSummary[]
  readonly summary: RunSummary
  /** Hash → bag of cells in base64: each cell of stack and registers once. */
  readonly cells: Readonly<Record<string, string>>
  /** Cells that `cells` leaves out for their size. */
  readonly cells_left_out: number
}

/** Gas and counts over the whole run, whatever steps were kept. Gas of a run inside it counts where that run spent it. */
export type RunSummary = {
  /** Whether something below is incomplete: there were more places or frames than are counted one by one. */
  readonly truncated: boolean
  /** The parts add up to the gas used. */
  readonly methods: readonly MethodGas[]
  readonly cells: readonly CellGas[]
  readonly instructions: readonly InstructionGas[]
  /** Loads of cells of any kind, code and data: 100 gas for the first of a cell, 25 for each later one. */
  readonly loads: { readonly first: number; readonly again: number }
  readonly stacks: readonly FoldedStack[]
  readonly coverage: readonly CellCoverage[]
}

export type MethodGas = {
  readonly id: number
  readonly runs: number
  /** Without methods that it called, and with them. */
  readonly self: number
  readonly total: number
}

/** A code cell: the gas of the instructions that stand in it. */
export type CellGas = {
  readonly hash: string
  readonly loads_first: number
  readonly loads_again: number
  readonly gas: number
  /** How many times the run came into it, and how many of its instructions it ran. */
  readonly runs: number
  readonly steps: number
}

export type InstructionGas = { readonly op: string; readonly count: number; readonly gas: number }

/** A continuation that was entered by a call: a method by its number, anything else by where it begins. */
export type StackFrame = { readonly method: number } | { readonly cell: string; readonly offset: number }

/** Gas spent with these frames on the call stack, outermost first. */
export type FoldedStack = { readonly frames: readonly StackFrame[]; readonly gas: number; readonly steps: number }

export type CellCoverage = {
  readonly cell: string
  /** Instructions that ran, by offset. */
  readonly instructions: readonly (readonly [offset: number, count: number, gas: number])[]
  /** Conditional jumps, calls, returns and throws: how often the condition was true and false. */
  readonly branches: readonly (readonly [offset: number, whenTrue: number, whenFalse: number])[]
}

/** All instructions of a code, where it can be told what of it is code. */
export type CodeListing = {
  readonly code_hash: string
  /** In the order in which they are reached. */
  readonly cells: readonly ListedCell[]
  /** Where the methods of the code begin. */
  readonly methods: readonly { readonly id: number; readonly cell: string; readonly offset: number }[]
  /** Whether the code has more instructions than are listed. */
  readonly truncated: boolean
}

export type ListedCell = { readonly hash: string; readonly instructions: readonly ListedInstruction[] }

export type ListedInstruction = {
  readonly offset: number
  readonly op: string
  /** How deep it stands in continuations that are written inside others. */
  readonly nesting: number
  /** Whether it jumps, calls, returns or throws on a condition. */
  readonly branches: boolean
}
