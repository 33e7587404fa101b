import type { PlainAnswer, PlainRoute } from '../../api/core/PlainRoute.ts'
import { MetadataError, MetadataUnavailableError } from '../../metadata/errors.ts'
import type { FetchRules } from '../../metadata/fetch/FetchRules.ts'
import { ImageFetcher } from '../../metadata/images/ImageFetcher.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Database } from '../../store/connect/Database.ts'
import { findTokenImage } from '../../store/reader/tokens.ts'
import type { CommandContext } from '../Command.ts'
import { fetchRulesOf } from '../fetchRules.ts'
import { searchRoute } from './searchNames.ts'

const PATH = '/images'
const MAX_AGE_SECONDS = 86_400

/** What the pages need of the index besides v3. */
export type TokenRoutes = {
  readonly routes: readonly PlainRoute[]
  /** Whether pictures of other hosts are fetched (--metadata). */
  readonly hasImages: boolean
}

type ImageParts = {
  readonly database: Pick<Database, 'reader'>
  /** Without them, only pictures in the contract itself are served. */
  readonly rules: FetchRules | undefined
}

export const openTokenRoutes = ({ database, rules }: ImageParts, shutdown: Pick<Shutdown, 'add'>): TokenRoutes => {
  const fetcher = new ImageFetcher({ rules })
  shutdown.add('images', async () => fetcher.close())
  return { routes: [tokenImagesRoute(database, fetcher), searchRoute(database)], hasImages: rules !== undefined }
}

/** For a service with an index; pictures of other hosts are fetched where metadata is. */
export const openServiceTokens = (
  { config, version, shutdown }: Pick<CommandContext, 'config' | 'version' | 'shutdown'>,
  database: Pick<Database, 'reader'> | undefined,
): TokenRoutes | undefined =>
  database &&
  openTokenRoutes({ database, rules: config.metadata ? fetchRulesOf(config, version) : undefined }, shutdown)

/**
 * Pictures of tokens for the pages, at `/images/<address of the token>`. The URL comes from the index and not from the request, so that
 * nobody can have this server fetch what they like.
 */
const tokenImagesRoute = (database: ImageParts['database'], fetcher: ImageFetcher): PlainRoute => ({
  method: 'GET',
  path: `${PATH}/*`,
  answer: async ({ path }) => {
    try {
      const address = addressKeyOf(parseAddress(decodeURIComponent(path.slice(PATH.length + 1))))
      const url = await findTokenImage(database.reader().keyedReads, address)
      if (url === undefined) return refuse(404, 'This token has no picture.')
      const { type, bytes } = await fetcher.get(url)
      return { status: 200, headers: { ...headers, 'content-type': type, 'cache-control': cached }, body: bytes }
    } catch (error) {
      if (error instanceof URIError) return refuse(400, 'Expected the address of a token.')
      if (error instanceof MetadataUnavailableError) return refuse(502, error.message)
      if (error instanceof MetadataError) return refuse(404, error.message)
      if (error instanceof CodedError) return refuse(error.retryable ? 503 : 400, error.message)
      throw error
    }
  },
})

const cached = `public, max-age=${MAX_AGE_SECONDS}`

/** Opened by itself, a picture is alone: no script, no frame, nothing loaded. */
const headers = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

const refuse = (status: number, message: string): PlainAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=60' },
  body: `${message}\n`,
})
