import { Type } from 'typebox'
import { NotAcceptedError } from '../../emulate/errors.ts'
import type { Call } from '../core/Call.ts'
import { type Failure, InvalidParamsError, type Statuses } from '../core/errors.ts'
import type { Dialect, Interface } from '../core/Interface.ts'
import { tonDialect } from '../v3/index.ts'
import type { EmulateParts } from './EmulateContext.ts'
import { emulateTonConnect, emulateTrace, simulate } from './endpoints.ts'
import { UnreadableBocError } from './params.ts'

const statuses: Statuses = { invalid_params: 400, block_not_found: 400, unsupported_media_type: 400 }

/** Codes of the answers where they differ from ours. */
const codes: Readonly<Record<string, string>> = {
  invalid_params: 'invalid_request',
  invalid_json: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  deadline_exceeded: 'timeout',
  node_timeout: 'timeout',
  vm_timeout: 'timeout',
  node_unavailable: 'not_ready',
}

const describeFailure = ({ error, code, message }: Failure): string => {
  if (error instanceof UnreadableBocError) return message
  if (code === 'unsupported_media_type') return 'invalid request: Unprocessable Entity'
  if (error instanceof InvalidParamsError) return describeIssue(error)
  return code === 'invalid_request' || code === 'invalid_json' ? `invalid request: ${message}` : message
}

const describeIssue = ({ issues }: InvalidParamsError): string => {
  const [first] = issues
  if (first?.error instanceof UnreadableBocError) return first.error.message
  if (first?.keyword === 'missing') return `invalid request: ${first.name} is required`
  return `invalid request: ${first?.error?.message ?? first?.message}`
}

/** How errors are answered, here and by the debugger. */
export const failures = {
  statuses,
  renderError: (failure: Failure) => ({
    error: describeFailure(failure),
    code: codes[failure.code] ?? failure.code,
    ...(failure.error instanceof NotAcceptedError && { exit_code: failure.error.exitCode ?? null }),
  }),
  errorSchema: Type.Object(
    {
      error: Type.String({ description: 'Error message.' }),
      code: Type.String({ description: 'Machine-readable error code.', examples: ['not_accepted'] }),
      exit_code: Type.Optional(
        Type.Union([Type.Integer(), Type.Null()], { description: 'Of a contract that did not accept the message.' }),
      ),
    },
    { $id: 'Error' },
  ),
}

/** The emulation interface: what messages would do. */
export const emulateApi = {
  prefix: '/api/emulate/v1',
  title: 'Emulation (v1)',
  description:
    'Runs messages on the state of the chain without sending them, and tells what they would do: transactions, actions, ' +
    'balance changes and fees. Every answer is an estimate: the real course depends on the block that a message lands in.',
  version: '1.0.0',
  endpoints: [emulateTrace, emulateTonConnect, simulate],
  ...failures,
  commonErrors: ['node_unavailable', 'node_timeout', 'node_refused', 'node_answer_invalid', 'proof_failed'],
  maxBodyBytes: 4 << 20,
  body: { mediaType: 'json', mayBeEmpty: false },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
} as const satisfies Interface<EmulateParts>

/** The interface at one URL prefix. */
export const presentEmulate = (prefix: `/${string}`, dialect: Dialect): Interface<EmulateParts> => {
  const headers = (call: Call) => ({ 'server-timing': `app;dur=${(performance.now() - call.receivedAt).toFixed(3)}` })
  const definition = { ...emulateApi, prefix, headers }
  return dialect === 'chain' ? definition : { ...definition, ...tonDialect }
}
