import type { ClientOf } from '../api/core/createClient.ts'
import type { Interface } from '../api/core/Interface.ts'
import type { dev } from '../api/dev/index.ts'
import type { v2 } from '../api/v2/index.ts'
import type { v3 } from '../api/v3/index.ts'

export type CallOptions = {
  /** Ends the call, its waiting for another try included. */
  readonly signal?: AbortSignal
}

/** The endpoint `jetton/wallets` is called by `jettonWallets`. */
type CallName<Name> = Name extends `${infer Family}/${infer Rest}` ? `${Family}${Capitalize<Rest>}` : Name

/** A function for each endpoint of an interface. */
type CallsOf<I extends Interface> = {
  readonly [Name in keyof ClientOf<I> as CallName<Name>]: ClientOf<I>[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: [...Args, options?: CallOptions]) => Result
    : never
}

export type V2Calls = CallsOf<typeof v2>
export type V3Calls = CallsOf<typeof v3>
export type DevCalls = CallsOf<typeof dev>

/** The calls of the indexed interface that give a list page by page. */
export type ListName = {
  [Name in keyof V3Calls]: 'cursor' extends keyof NonNullable<Parameters<V3Calls[Name]>[0]> ? Name : never
}[keyof V3Calls]

export type ListArguments<Name extends ListName> = Omit<NonNullable<Parameters<V3Calls[Name]>[0]>, 'cursor' | 'offset'>

/** A page as it is answered. */
export type PageOf<Name extends ListName> = Awaited<ReturnType<V3Calls[Name]>>

/** What a page is a list of. */
export type ItemOf<Name extends ListName> =
  PageOf<Name> extends readonly (infer Item)[] ? Item : ListMember<PageOf<Name>>

type ListMember<Page> = { [Name in keyof Page]: Page[Name] extends readonly (infer Item)[] ? Item : never }[keyof Page]
