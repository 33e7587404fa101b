import { Type } from 'typebox'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import { type Interface, standardJsonRpc } from '../core/Interface.ts'
import { account, faucet, impersonate, log, send } from './endpoints/accounts.ts'
import { clock, disturb, mine, mining, reshard, revert, snapshot, status } from './endpoints/network.ts'

/** The hand of a developer on the embedded network, over HTTP. Served only where there is such a network. */
export const dev = {
  prefix: '/dev',
  title: 'Controls of the embedded network',
  description:
    'What a developer may do to the network that runs inside: give money, make blocks, move the clock, go back in time, change ' +
    'accounts, speak for others, lose messages, look into transactions. Served to programs on the same machine only, and to no ' +
    'page of another origin; where the service is open to other machines, to callers that send the controls token.',
  version: '1.0.0',
  endpoints: [status, mine, mining, clock, reshard, snapshot, revert, faucet, account, impersonate, send, disturb, log],
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
      error: Type.String({ description: 'A sentence about what went wrong.' }),
      code: Type.Integer({ description: 'The HTTP status.', examples: [422] }),
      error_code: Type.String({ description: 'What went wrong, for programs.', examples: ['invalid_params'] }),
    },
    { $id: 'Error' },
  ),
} as const satisfies Interface<NetworkControls>
