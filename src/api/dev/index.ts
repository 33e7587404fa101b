import { Type } from 'typebox'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import { type Interface, standardJsonRpc } from '../core/Interface.ts'
import { account, faucet, impersonate, log, send } from './endpoints/accounts.ts'
import {
  clock,
  commit,
  disturb,
  mine,
  mining,
  replace,
  reshard,
  revert,
  snapshot,
  status,
} from './endpoints/network.ts'

/** Developer controls of the embedded network over HTTP. Served only with the embedded network. */
export const dev = {
  prefix: '/dev',
  title: 'Controls of the embedded network',
  description:
    'Developer controls of the embedded network: faucet, mining, clock, snapshots, account overrides, impersonation, message faults ' +
    'and transaction logs. Only programs on the same machine have access, and no page of another origin; if the service is public, ' +
    'callers must send the controls token.',
  version: '1.0.0',
  endpoints: [
    status,
    mine,
    mining,
    commit,
    replace,
    clock,
    reshard,
    snapshot,
    revert,
    faucet,
    account,
    impersonate,
    send,
    disturb,
    log,
  ],
  body: { mediaType: 'json', mayBeEmpty: true },
  localOnly: true,
  jsonRpc: standardJsonRpc('/jsonRPC', 100),
  envelope: (result) => ({ ok: true, result }),
  envelopeSchema: (result) => Type.Object({ ok: Type.Literal(true), result }),
  openEnvelope: (answer) => (answer as { readonly result: unknown }).result,
  renderError: ({ message, status: number, code }) => ({ ok: false, error: message, code: number, error_code: code }),
  errorSchema: Type.Object(
    {
      ok: Type.Literal(false),
      error: Type.String({ description: 'Error message.' }),
      code: Type.Integer({ description: 'The HTTP status.', examples: [422] }),
      error_code: Type.String({ description: 'Machine-readable error code.', examples: ['invalid_params'] }),
    },
    { $id: 'Error' },
  ),
} as const satisfies Interface<NetworkControls>
