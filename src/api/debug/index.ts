import type { Interface } from '../core/Interface.ts'
import { failures } from '../emulate/index.ts'
import { code, deleteSource, getSource, putSource } from './codeEndpoints.ts'
import type { DebugContext } from './debugEndpoint.ts'
import { transaction, transactionSteps } from './endpoints.ts'
import { message } from './messageEndpoint.ts'
import { getMethod, profile, trace } from './runEndpoints.ts'

/** The debugger: transactions replayed step by step. */
export const debug = {
  prefix: '/api/debug/v1',
  title: 'Transaction debugger (debug v1)',
  description:
    'Replays transactions of the chain on proof-checked data and shows how they ran: instructions, stack, gas, actions and failures.',
  version: '1.0.0',
  endpoints: [
    transaction,
    transactionSteps,
    trace,
    message,
    getMethod,
    profile,
    code,
    getSource,
    putSource,
    deleteSource,
  ],
  ...failures,
  body: { mediaType: 'json', mayBeEmpty: false },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
} as const satisfies Interface<DebugContext>

/** The same at another prefix. */
export const presentDebug = (prefix: `/${string}`): Interface<DebugContext> => ({ ...debug, prefix })
