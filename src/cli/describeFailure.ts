import { SettingsError } from '../config/errors.ts'
import { CodedError } from '../primitives/errors.ts'
import { UsageError } from './errors.ts'
import { exitCodes } from './exitCodes.ts'
import { describeFileFailure } from './fileFailure.ts'

export type FailureReport = {
  readonly exitCode: number
  /** For a person: what went wrong, what to do, and the stack when asked for. */
  readonly text: string
  /** For a program. */
  readonly value: { readonly error: { readonly code: string; readonly message: string; readonly advice: string } }
}

/** What a failed command tells: one sentence about what went wrong and one about what to do. */
export const describeFailure = (error: unknown, verbose: boolean): FailureReport => {
  const { exitCode, code, message, advice } = classify(error)
  const stack = verbose && error instanceof Error ? `\n\n${formatStacks(error)}` : ''
  return {
    exitCode,
    text: withoutControls(`${message}\n${advice}${stack}`),
    value: { error: { code, message, advice } },
  }
}

type Classified = { exitCode: number; code: string; message: string; advice: string }

const classify = (error: unknown): Classified => {
  if (error instanceof SettingsError || error instanceof UsageError) {
    return { exitCode: exitCodes.usage.code, code: error.code, message: error.message, advice: error.advice }
  }
  if (error instanceof CodedError) {
    return { exitCode: exitCodes.failed.code, code: error.code, message: error.message, advice: adviceFor(error) }
  }
  const ofFile = describeFileFailure(error)
  if (ofFile !== undefined) return { exitCode: exitCodes.failed.code, code: 'file_system', ...ofFile }
  return {
    exitCode: exitCodes.internal.code,
    code: 'internal',
    message: `Something went wrong that should not have: ${error instanceof Error ? error.message : String(error)}`,
    advice: 'This is a bug; run it again with --verbose and report what it prints.',
  }
}

const adviceFor = (error: CodedError): string => {
  const { code, retryable } = error
  if (code === 'node_unavailable' || code === 'node_timeout') {
    return 'Trying again may help; "chaincenter doctor" tells what is wrong with each server.'
  }
  if (code === 'call_unreachable') return 'Check whether the service runs, and what --url or --port names.'
  if (code === 'node_refused') {
    return retryable
      ? 'Trying again, or asking another server, may help.'
      : 'These are the words of the server: check what was asked.'
  }
  if (code === 'database_unavailable' || code === 'database_refused') {
    return 'Check whether the server runs and lets you in, and what --database-url names.'
  }
  if (code === 'lease_held') {
    return 'Only one process writes at a time. Stop that one first; one that hangs is replaced within 10 seconds.'
  }
  if (code === 'embedded_database' || code === 'database_version' || code === 'database_schema') {
    return 'Another database can be named with --database-url.'
  }
  const ofFile = describeFileFailure(error)
  if (ofFile !== undefined) return ofFile.advice
  return retryable ? 'Trying again may help.' : 'Run it again with --verbose to see where it happened.'
}

// A message may quote a server, whose words must not steer the terminal.
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')

/** The stack of an error and of its causes. */
const formatStacks = (error: Error): string => {
  const stack = error.stack ?? error.message
  return error.cause instanceof Error ? `${stack}\nCaused by: ${formatStacks(error.cause)}` : stack
}
