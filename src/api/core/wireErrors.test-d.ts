import { type Equal, expectType } from '../../../test/support/expectType.ts'
import type * as chainErrors from '../../chain/errors.ts'
import type * as liteserverErrors from '../../devnet/liteserver/LiteFunction.ts'
import type * as networkErrors from '../../devnet/network/errors.ts'
import type * as storeErrors from '../../store/errors.ts'
import type * as streamEvents from '../../streaming/events.ts'
import type * as eventIds from '../../streaming/log/eventIds.ts'
import type * as subscription from '../../streaming/subscription/Subscription.ts'
import type * as vmErrors from '../../tvm/errors.ts'
import type * as requestErrors from './errors.ts'
import type { ErrorCode } from './wireErrors.ts'

/** The codes of every error class that a module exports. */
type CodesOf<Module> = {
  [Name in keyof Module]: Module[Name] extends abstract new (
    ...args: never
  ) => { readonly code: infer Code }
    ? Code
    : never
}[keyof Module]

// What may come to a caller of an interface must have a row in the table. A failure to begin or to go on with a network is told
// by the command line alone.
type FolderCode = 'dev_folder_mismatch'
// A database that does not fit is refused at the start, and who leads or compacts is between indexers.
type StartCode =
  | 'compaction_running'
  | 'database_extension'
  | 'database_schema'
  | 'database_version'
  | 'embedded_database'
  | 'lease_held'
  | 'lease_lost'

expectType<Equal<Exclude<CodesOf<typeof chainErrors>, ErrorCode>, never>>()
expectType<Equal<Exclude<CodesOf<typeof vmErrors>, ErrorCode>, never>>()
expectType<Equal<Exclude<CodesOf<typeof liteserverErrors>, ErrorCode>, never>>()
expectType<Equal<Exclude<CodesOf<typeof networkErrors>, ErrorCode>, FolderCode>>()
expectType<Equal<Exclude<CodesOf<typeof storeErrors>, ErrorCode>, StartCode>>()
expectType<Equal<Exclude<CodesOf<typeof requestErrors>, ErrorCode>, never>>()
expectType<Equal<Exclude<CodesOf<typeof streamEvents>, ErrorCode>, never>>()
expectType<Equal<Exclude<CodesOf<typeof eventIds>, ErrorCode>, never>>()
expectType<Equal<Exclude<CodesOf<typeof subscription>, ErrorCode>, never>>()

// The helper does find them.
expectType<Equal<'vm_timeout' extends CodesOf<typeof vmErrors> ? true : false, true>>()
expectType<Equal<'dev_step_failed' extends CodesOf<typeof networkErrors> ? true : false, true>>()
expectType<Equal<CodesOf<typeof liteserverErrors>, 'lite_refusal'>>()
