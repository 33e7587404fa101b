/** What goes between the threads. Cells travel as bags of cells; those of an answer are transferred, not copied. */

/** A configuration that a worker does not have yet. */
export type ConfigBags = {
  readonly full: Uint8Array
  /** Only what the machine reads for itself: see leanConfig.ts. Absent where that would save nothing. */
  readonly lean: Uint8Array | undefined
}

/** How many configurations a worker keeps. Both threads count in the same way, so one knows what the other has. */
export const KEPT_CONFIGS = 4

type Job = {
  readonly configKey: string
  readonly config: ConfigBags | undefined
  readonly now: number
  /** 64 hexadecimal digits. */
  readonly randomSeed: string
  readonly libraries: Uint8Array
  readonly previousBlocks: Uint8Array
  /** What the emulator calls verbosity. */
  readonly verbosity: number
}

export type MethodJob = Job & {
  readonly kind: 'method'
  readonly code: Uint8Array
  readonly data: Uint8Array
  readonly stack: Uint8Array
  /** Workchain and hexadecimal digits. */
  readonly address: string
  readonly balance: string
  readonly extraCurrencies: readonly (readonly [id: number, amount: string])[]
  readonly gasLimit: number
  readonly methodId: number
  /** Whether to begin with the full configuration, because this method has asked for it before. */
  readonly readsConfig: boolean
  readonly withLog: boolean
}

export type TransactionJob = Job & {
  readonly kind: 'transaction'
  readonly account: Uint8Array
  readonly cause: 'message' | 'tick' | 'tock'
  /** Empty for a tick or tock. */
  readonly message: Uint8Array
  readonly lt: string
  readonly ignoreSignatures: boolean
  readonly withLog: boolean
  readonly withActions: boolean
}

export type VmJob = MethodJob | TransactionJob

export type MethodAnswer = {
  readonly kind: 'method'
  readonly exitCode: number
  readonly gasUsed: number
  readonly stack: Uint8Array
  readonly log: string | undefined
  /** Hexadecimal hash of a library that the code asked for in vain. */
  readonly missingLibrary: string | undefined
  readonly readsConfig: boolean
  /** Whether it looked at anything that changes from block to block, the configuration included. */
  readonly readsBlock: boolean
  /** Whether it may have ended differently with more gas: it had none left, or gave some to a machine within the machine. */
  readonly wantsGas: boolean
}

export type ExecutedAnswer = {
  readonly kind: 'executed'
  readonly transaction: Uint8Array
  readonly account: Uint8Array
  readonly actions: Uint8Array | undefined
  readonly log: string | undefined
}

export type NotAcceptedAnswer = {
  readonly kind: 'notAccepted'
  readonly exitCode: number | undefined
  readonly reason: string
  readonly log: string
}

/** What the emulator says of a stack that it cannot write. */
export const STACK_TOO_LARGE = "Couldn't serialize stack"

/** The emulator would not take the input. */
export type RefusedAnswer = { readonly kind: 'refused'; readonly reason: string }

export type VmAnswer = (MethodAnswer | ExecutedAnswer | NotAcceptedAnswer | RefusedAnswer) & {
  /** CPU time of the run. Absent where the system does not tell, and for the first runs of a thread, which compile code. */
  readonly cpuMs?: number | undefined
}

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
  /** The emulator is beyond use. */
  | { readonly kind: 'crashed'; readonly reason: string }
