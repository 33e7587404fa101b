import { Type } from 'typebox'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import type { Interface } from '../core/Interface.ts'
import { standardJsonRpc } from '../core/JsonRpc.ts'
import { account } from './endpoints/account.ts'
import { clock } from './endpoints/clock.ts'
import { disturb } from './endpoints/disturb.ts'
import { faucet } from './endpoints/faucet.ts'
import { impersonate } from './endpoints/impersonate.ts'
import { log } from './endpoints/log.ts'
import { mine } from './endpoints/mine.ts'
import { mining } from './endpoints/mining.ts'
import { reshard } from './endpoints/reshard.ts'
import { revert } from './endpoints/revert.ts'
import { send } from './endpoints/send.ts'
import { snapshot } from './endpoints/snapshot.ts'
import { status } from './endpoints/status.ts'

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
