import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { Reader } from '../../store/connect/Database.ts'
import type { Cursor, Page } from '../../store/reader/page.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import type { Call } from '../core/Call.ts'
import type { AnswerBudget } from './AnswerBudget.ts'
import type { AskLive } from './AskLive.ts'
import type { RequestOptions } from './RequestOptions.ts'

/** What differs from network to network. */
export type V3Settings = {
  /** Friendly addresses say that they are of a test network. */
  readonly testOnly: boolean
}

/** What this interface is made from. */
export type V3Parts = {
  /** For lists and everything else that may take longer; each question has a connection for itself. */
  readonly lists: Reader
  /** For rows by their keys: quick, and in line behind each other. */
  readonly points: Reader
  readonly decoder: BodyDecoder
  /** What is known of traces before they are in the index. */
  readonly pending: PendingTraces
  /** The live interface, where this process has one. */
  readonly live: AskLive | undefined
  readonly settings: V3Settings
  readonly call: Call
}

/** What an endpoint works on. All of one call is asked of the same server. */
export type V3Context = V3Parts & {
  readonly options: RequestOptions
  /** What the answer may cost; it decodes bodies. */
  readonly budget: AnswerBudget
  /** The page that is asked for. */
  readPage(params: PageArguments): Page
  /** Tells the caller where the next page begins. */
  tellNext(next: Cursor | undefined): void
}

export type PageArguments = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined }
