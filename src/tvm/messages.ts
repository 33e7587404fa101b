import type { RunReads, VmLogDetail } from '../chain/ports.ts'
import type { RecordOptions } from '../chain/recording.ts'

/** What goes between the threads. Cells travel as bags of cells; those of an answer are transferred, not copied. */

/** A configuration that a worker does not have yet. */
export type ConfigBags = {
  readonly full: Uint8Array
  /** Only what the emulator reads for itself: see emulator/leanConfig.ts. Absent where that would save nothing. */
  readonly lean: Uint8Array | undefined
}

/** A configuration as jobs name it. */
export type JobConfig = {
  /** The hash of its root, for one. */
  readonly key: string
  readonly version: number
  readonly bags: ConfigBags
}

/** How many configurations a worker keeps. Both threads count in the same way, so one knows what the other has. */
export const KEPT_CONFIGS = 4

type Job = {
  readonly configKey: string
  readonly config: ConfigBags | undefined
  readonly now: number
  /** 32 bytes. */
  readonly randomSeed: Uint8Array
  /** A dictionary of libraries, empty for none. */
  readonly libraries: Uint8Array
  readonly previousBlocks: Uint8Array
  readonly log: VmLogDetail
  /** Set where the run is to be recorded. */
  readonly record?: RecordOptions | undefined
}

export type MethodJob = Job & {
  readonly kind: 'method'
  readonly code: Uint8Array
  readonly data: Uint8Array
  readonly stack: Uint8Array
  /** Workchain and hexadecimal digits. */
  readonly address: string
  readonly balance: bigint
  readonly extraCurrencies: readonly (readonly [id: number, amount: bigint])[]
  readonly duePayment: bigint
  readonly lt: bigint
  readonly gasLimit: number
  readonly methodId: number
  readonly withLoadedCells: boolean
}

export type TransactionJob = Job & {
  readonly kind: 'transaction'
  readonly account: Uint8Array
  readonly cause: 'message' | 'tick' | 'tock'
  /** Empty for a tick or tock. */
  readonly message: Uint8Array
  readonly lt: bigint
  readonly ignoreSignatures: boolean
  readonly withActions: boolean
}

export type VmJob = MethodJob | TransactionJob

export type MethodAnswer = {
  readonly kind: 'method'
  readonly exitCode: number
  readonly gasUsed: number
  readonly stack: Uint8Array
  readonly log: string | undefined
  /** Hashes of libraries that the code asked for in vain. */
  readonly missingLibraries: readonly Uint8Array[]
  readonly reads: RunReads
  readonly loadedCells: ReadonlySet<string> | undefined
  readonly recording?: Uint8Array | undefined
}

export type ExecutedAnswer = {
  readonly kind: 'executed'
  readonly transaction: Uint8Array
  readonly account: Uint8Array
  readonly actions: Uint8Array | undefined
  readonly log: string | undefined
  readonly missingLibraries: readonly Uint8Array[]
  /** JSON: that is faster over the border of threads than its thousands of objects. */
  readonly recording?: Uint8Array | undefined
}

export type NotAcceptedAnswer = {
  readonly kind: 'notAccepted'
  readonly exitCode: number | undefined
  readonly steps: number
  readonly reason: string
  readonly log: string
  readonly missingLibraries: readonly Uint8Array[]
  readonly recording?: Uint8Array | undefined
}

/** The input cannot be run, or what came of it cannot be handed back. */
export type RefusedAnswer = { readonly kind: 'refused'; readonly what: 'input' | 'result'; readonly reason: string }

export type VmAnswer = MethodAnswer | ExecutedAnswer | NotAcceptedAnswer | RefusedAnswer

/** CPU time of a thread, and its number in the system. */
export type ThreadTime = { readonly thread: number; readonly cpuMs: number }

export type FromWorker =
  | { readonly kind: 'ready'; readonly commit: string; readonly clock?: ThreadTime | undefined }
  | {
      readonly kind: 'answer'
      readonly answer: VmAnswer
      readonly memoryBytes: number
      readonly clock?: ThreadTime | undefined
    }
  /** The thread is beyond use. */
  | { readonly kind: 'crashed'; readonly reason: string }
