import { LruCache } from '../../primitives/LruCache.ts'
import { createSemaphore, pause } from '../../primitives/scheduling.ts'
import { MetadataError, MetadataRefusedError, MetadataUnavailableError, MetadataUnusableError } from '../errors.ts'
import type { FetchRules } from '../fetch/FetchRules.ts'
import { fetchBytes, type Wanted } from '../fetch/fetchDocument.ts'
import { parseTarget, type Remote } from '../fetch/parseTarget.ts'
import { HostLimiter } from '../HostLimiter.ts'
import { findImageType, type ImageType } from './imageType.ts'

export type Image = { readonly type: ImageType; readonly bytes: Uint8Array }

export type ImageOptions = {
  /** Without them, no host is contacted: only inline pictures are served. */
  readonly rules: FetchRules | undefined
  readonly maxCacheBytes?: number
}

/** Limit of one picture. Those of tokens are icons and previews. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024
const TOTAL_MS = 15_000
const MAX_CACHE_BYTES = 64 * 1024 * 1024
const AT_ONCE = 16
/** Requests that wait for a slot; more are refused. */
const MAX_WAITING = 256
const FRESH_MS = 6 * 3_600_000
const FAILED_MS = 60_000
/** Of an entry besides its bytes. */
const ENTRY_BYTES = 512

type Entry = { readonly until: number; readonly image: Image | MetadataError }

/**
 * Fetches pictures of tokens for the pages, by the rules of metadata: public hosts only, every redirect checked, bounded time and size.
 * The type is that of the bytes, whatever the host says; SVG is refused, since it may hold scripts. Pictures and failures are cached.
 */
export class ImageFetcher {
  readonly #rules: FetchRules | undefined
  readonly #cache: LruCache<Entry>
  readonly #hosts = new HostLimiter()
  readonly #slots = createSemaphore(AT_ONCE)
  readonly #flights = new Map<string, Promise<Image>>()
  readonly #controller = new AbortController()

  constructor({ rules, maxCacheBytes = MAX_CACHE_BYTES }: ImageOptions) {
    this.#rules = rules && {
      ...rules,
      limits: { ...rules.limits, maxBytes: MAX_IMAGE_BYTES, totalMs: Math.min(rules.limits.totalMs, TOTAL_MS) },
    }
    this.#cache = new LruCache(maxCacheBytes)
  }

  /** The picture at a URL of metadata; throws a MetadataError. */
  async get(url: string): Promise<Image> {
    const target = parseTarget(url, this.#rules ?? noHosts)
    if (target.kind === 'inline') {
      picture.checkMediaType(target.mediaType)
      return toImage(target.bytes)
    }
    if (this.#rules === undefined)
      throw new MetadataRefusedError('Pictures of other hosts are not fetched (--metadata).')
    const known = this.#cache.find(url)
    if (known !== undefined && known.until > performance.now()) {
      if (known.image instanceof MetadataError) throw known.image
      return known.image
    }
    return this.#flights.get(url) ?? this.#begin(url, target)
  }

  close(): void {
    this.#controller.abort(new MetadataUnavailableError('The server is closing.', { hostFailed: false }))
  }

  #begin(url: string, target: Remote): Promise<Image> {
    if (this.#flights.size >= MAX_WAITING) {
      throw new MetadataUnavailableError('Too many pictures are being fetched.', { hostFailed: false })
    }
    const flight = this.#slots(() => this.#fetch(target))
      .then(
        (image) => {
          this.#cache.set(url, { until: performance.now() + FRESH_MS, image }, image.bytes.length + ENTRY_BYTES)
          return image
        },
        (error: unknown) => {
          if (error instanceof MetadataError) {
            this.#cache.set(url, { until: performance.now() + FAILED_MS, image: error }, ENTRY_BYTES)
          }
          throw error
        },
      )
      .finally(() => this.#flights.delete(url))
    this.#flights.set(url, flight)
    return flight
  }

  async #fetch(target: Remote): Promise<Image> {
    const { host } = target.url
    await this.#admit(target)
    const start = performance.now()
    let hostFailed = false
    try {
      return toImage(await fetchBytes(target, this.#rules!, picture, this.#controller.signal))
    } catch (error) {
      hostFailed = error instanceof MetadataUnavailableError && error.hostFailed
      throw error
    } finally {
      this.#hosts.leave(host, { tookMs: performance.now() - start, hostFailed })
    }
  }

  /** Waits for a slot of the host. */
  async #admit({ url: { host }, isTrusted }: Remote): Promise<void> {
    const end = performance.now() + TOTAL_MS
    for (;;) {
      const admission = this.#hosts.admit(host, isTrusted)
      if (admission.kind === 'go') return
      const delayMs = admission.kind === 'later' ? admission.delayMs : Number.POSITIVE_INFINITY
      if (performance.now() + delayMs > end) {
        throw new MetadataUnavailableError(`${host} is busy or not responding.`, { hostFailed: true })
      }
      await pause(delayMs, this.#controller.signal)
    }
  }
}

const noHosts = { allowHttp: false, ipfsGateway: undefined, isAllowedAddress: () => false }

const toImage = (bytes: Uint8Array): Image => {
  const type = findImageType(bytes)
  if (type === undefined) throw new MetadataUnusableError('Expected a PNG, JPEG, GIF, WebP or AVIF picture.')
  return { type, bytes }
}

/** The type that a host states says little: the bytes decide. */
const picture: Wanted = {
  accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
  checkMediaType: (mediaType) => {
    if (!/^(text|application\/(json|xhtml\+xml))|svg/.test(mediaType)) return
    throw new MetadataUnusableError(
      `Expected a picture, got the content type ${JSON.stringify(mediaType.slice(0, 60))}.`,
    )
  },
}
