import { Type } from 'typebox'
import type { Interface } from '../core/Interface.ts'
import { describeFailure, v3Statuses } from './describeFailure.ts'
import { topAccountsByBalance } from './endpoints/topAccountsByBalance.ts'
import type { V3Parts } from './V3Context.ts'

/** The history of the chain, for the clients of the indexed interface. */
export const v3 = {
  prefix: '/api/v3',
  title: 'The history of the chain',
  description:
    'Transactions, messages, traces, tokens, collectibles and what they did, from an index that is kept in a database. ' +
    'Every answer says in its headers up to which masterchain block the index was complete when it was made.',
  // The last number is that of the tables: see presentV3.
  version: '1.2.0',
  endpoints: [topAccountsByBalance],
  statuses: v3Statuses,
  // A thousand addresses, and a thousand hashes, with every character that needs it escaped.
  maxUrlBytes: 1 << 18,
  body: { mediaType: 'json', mayBeEmpty: false },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
  renderError: (failure) => ({ error: describeFailure(failure) }),
  errorSchema: Type.Object(
    { error: Type.String({ description: 'What went wrong.', examples: ['masterchain block 99999999 not found'] }) },
    { $id: 'Error' },
  ),
} as const satisfies Interface<V3Parts>
