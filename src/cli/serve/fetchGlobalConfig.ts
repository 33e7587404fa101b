import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type GlobalConfig, GlobalConfigError, parseGlobalConfig, readGlobalConfig } from '../../node/globalConfig.ts'
import type { Logger } from '../../observe/Logger.ts'

const FETCH_TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024

/**
 * The global configuration that a network publishes. It is fetched each time, as servers come and go, and kept at `path` for
 * when it cannot be.
 */
export const fetchGlobalConfig = async (url: string, path: string, logger: Logger): Promise<GlobalConfig> => {
  try {
    const text = await fetchText(url)
    const config = parseGlobalConfig(text, url)
    await keep(path, text)
    return config
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const kept = await readFile(path).catch(() => undefined)
    if (kept === undefined) {
      throw new GlobalConfigError(`The network configuration could not be fetched from ${url}: ${reason}`, { cause })
    }
    logger.warn('network configuration not fetched, the kept one is used', { url, path, reason })
    return readGlobalConfig(path)
  }
}

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!response.ok) throw new GlobalConfigError(`the answer was ${response.status}`)
  if (Number(response.headers.get('content-length') ?? 0) > MAX_BYTES) throw new GlobalConfigError('it is too long')
  return response.text()
}

const keep = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  // Several processes may be started at the same time.
  const fresh = `${path}.${process.pid}.new`
  await writeFile(fresh, text)
  await rename(fresh, path)
}
