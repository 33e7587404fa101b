import type { StreamEvent as AnyEvent, Subscription as SubscriptionRequest } from './generated/streaming.ts'

/** What may be subscribed to. */
export type EventType = Exclude<SubscriptionRequest['types'][number], 'trace_invalidated'>

/** Members that every event of an extended subscription has. */
type Stamp = 'event_id' | 'emitted_at' | 'mc_seqno'

/** Subscriptions of the client are extended: their events have ids, and states their logical time. */
type Extended<E> = E extends { readonly type: 'account_state_change' }
  ? Readonly<Required<E>>
  : Readonly<Omit<E, Stamp> & Required<Pick<E, Stamp & keyof E>>>

type EventOf<Name extends AnyEvent['type']> = { [E in AnyEvent as E['type']]: Extended<E> }[Name]

/** The event that comes for a type. */
type NameOf<T extends EventType> = T extends 'blocks' ? 'block' : T

/** Events that come without being asked for: checkpoints, invalidated traces, gaps. */
type ControlName = Exclude<AnyEvent['type'], NameOf<EventType>>

/** The events of a subscription, told apart by `type`. */
export type StreamEvent<T extends EventType = EventType> = EventOf<NameOf<T>> | EventOf<ControlName>

type ReadonlyLists<T> = {
  readonly [Name in keyof T]: T[Name] extends readonly (infer I)[] | undefined ? readonly I[] : T[Name]
}

export type Subscription<T extends EventType = EventType> = ReadonlyLists<
  Omit<SubscriptionRequest, 'types' | 'filters' | 'extended' | 'id'>
> & {
  readonly types: readonly T[]
  readonly filters?: ReadonlyLists<NonNullable<SubscriptionRequest['filters']>>
}
