import { Type } from 'typebox'
import type { Interface } from '../core/Interface.ts'
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  getEndpoint,
  listDeliveries,
  listEndpoints,
  redeliver,
  redeliverDead,
  replayEvents,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from './endpoints.ts'
import type { WebhooksContext } from './WebhooksContext.ts'

/** Codes of the answers where they differ from ours. */
const codes: Readonly<Record<string, string>> = {
  webhook_refused: 'invalid_request',
  webhook_limit: 'limit_reached',
  webhook_not_found: 'not_found',
  webhook_conflict: 'conflict',
  webhook_not_kept: 'not_kept',
  invalid_params: 'invalid_request',
  invalid_json: 'invalid_request',
}

/** Webhooks: events of the chain, sent to URLs of users. */
export const webhooks = {
  prefix: '/api/webhooks/v1',
  title: 'Webhooks (v1)',
  description:
    'Sends events of the chain to URLs: signed (Standard Webhooks), at least once, in order per account, with retries and redelivery. ' +
    'Objects belong to the owner of the API key; on an embedded network, programs on the same machine need no key.',
  version: '1.0.0',
  endpoints: [
    createEndpoint,
    listEndpoints,
    getEndpoint,
    updateEndpoint,
    deleteEndpoint,
    rotateSecret,
    testEndpoint,
    enableEndpoint,
    disableEndpoint,
    replayEvents,
    listDeliveries,
    redeliver,
    redeliverDead,
  ],
  statuses: { invalid_params: 400 },
  commonErrors: ['database_unavailable', 'database_timeout', 'database_conflict'],
  maxBodyBytes: 2 << 20,
  body: { mediaType: 'json', mayBeEmpty: true },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
  renderError: ({ message, code }) => ({ error: message, code: codes[code] ?? code }),
  errorSchema: Type.Object(
    {
      error: Type.String({ description: 'Error message.' }),
      code: Type.String({ examples: ['invalid_request'] }),
    },
    { $id: 'Error' },
  ),
} as const satisfies Interface<WebhooksContext>
