import { readFile } from 'node:fs/promises'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { fromBase64 } from '../primitives/base64.ts'
import { CodedError } from '../primitives/errors.ts'
import type { LiteServerAddress } from '../primitives/LiteServerAddress.ts'
import { fromSignedShard, wholeShard } from '../primitives/shard.ts'

/** The parts of a global configuration that a light client needs. */
export type GlobalConfig = {
  readonly liteServers: readonly LiteServerAddress[]
  readonly zeroState: BlockIdExt
  /** Where trust starts: the init block, a newer hard fork, or the zerostate. */
  readonly anchor: BlockIdExt
}

/** The global configuration is invalid. */
export class GlobalConfigError extends CodedError {
  readonly code = 'invalid_global_config'
}

type Json = Readonly<Record<string, unknown>>

/** Reads and checks a global configuration file. */
export const readGlobalConfig = async (path: string): Promise<GlobalConfig> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new GlobalConfigError(`The network configuration ${path} cannot be read: ${reason}.`, { cause })
  }
  return parseGlobalConfig(text, path)
}

export const parseGlobalConfig = (text: string, source: string): GlobalConfig => {
  const fail = (what: string, cause?: unknown): never => {
    throw new GlobalConfigError(`${source} is not a network configuration: ${what}.`, { cause })
  }
  const objectAt = (value: unknown, where: string): Json => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
    return fail(`expected an object at ${where}`)
  }
  const listAt = (value: unknown, where: string): readonly unknown[] => {
    if (value === undefined) return []
    return Array.isArray(value) ? value : fail(`expected a list at ${where}`)
  }
  const integerAt = (value: unknown, where: string): bigint => {
    const isInteger =
      typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?[0-9]{1,20}$/.test(value)
    return isInteger ? BigInt(value as number | string) : fail(`expected an integer at ${where}`)
  }
  const bytesAt = (value: unknown, where: string): Uint8Array => {
    try {
      const bytes = typeof value === 'string' ? fromBase64(value) : undefined
      if (bytes?.length === 32) return bytes
    } catch (cause) {
      return fail(`expected 32 bytes in base64 at ${where}`, cause)
    }
    return fail(`expected 32 bytes in base64 at ${where}`)
  }
  const blockAt = (value: unknown, where: string): BlockIdExt => {
    const block = objectAt(value, where)
    return {
      workchain: Number(integerAt(block['workchain'] ?? -1, `${where}.workchain`)),
      shard: fromSignedShard(BigInt.asIntN(64, integerAt(block['shard'] ?? -(2n ** 63n).toString(), `${where}.shard`))),
      seqno: Number(integerAt(block['seqno'] ?? 0, `${where}.seqno`)),
      rootHash: bytesAt(block['root_hash'], `${where}.root_hash`),
      fileHash: bytesAt(block['file_hash'], `${where}.file_hash`),
    }
  }
  const serverAt = (value: unknown, where: string): LiteServerAddress => {
    const server = objectAt(value, where)
    const publicKey = bytesAt(objectAt(server['id'], `${where}.id`)['key'], `${where}.id.key`)
    const { hostname } = server as { readonly hostname?: unknown }
    const port = Number(integerAt(server['port'], `${where}.port`))
    if (typeof hostname === 'string' && hostname !== '') {
      const match = port === 0 ? /^(.+):([0-9]{1,5})$/.exec(hostname) : null
      return match === null
        ? { host: hostname, port, publicKey }
        : { host: match[1] ?? '', port: Number(match[2]), publicKey }
    }
    if (port < 1 || port > 65_535) fail(`expected a port from 1 to 65535 at ${where}.port`)
    const ip = Number(integerAt(server['ip'], `${where}.ip`)) >>> 0
    return { host: [24, 16, 8, 0].map((shift) => (ip >>> shift) & 0xff).join('.'), port, publicKey }
  }

  const root = objectAt(parseJson(text, fail), 'the top')
  const validator = objectAt(root['validator'], 'validator')
  const zeroState = blockAt(validator['zero_state'], 'validator.zero_state')
  if (zeroState.seqno !== 0 || zeroState.workchain !== -1 || zeroState.shard !== wholeShard) {
    fail('validator.zero_state is not the beginning of a masterchain')
  }
  const candidates = [zeroState]
  if (validator['init_block'] !== undefined) candidates.push(blockAt(validator['init_block'], 'validator.init_block'))
  listAt(validator['hardforks'], 'validator.hardforks').forEach((fork, k) => {
    candidates.push(blockAt(fork, `validator.hardforks[${k}]`))
  })
  const anchor = candidates.reduce((newest, block) => (block.seqno > newest.seqno ? block : newest))
  const liteServers = ['liteservers', 'liteservers_v2'].flatMap((key) =>
    listAt(root[key], key).map((server, k) => serverAt(server, `${key}[${k}]`)),
  )
  return { liteServers, zeroState, anchor }
}

/** Shards are 64-bit numbers, which JSON.parse would round: long numbers are read as text. */
const parseJson = (text: string, fail: (what: string, cause?: unknown) => never): unknown => {
  try {
    return JSON.parse(text.replace(/([:[,]\s*)(-?[0-9]{16,})(?=\s*[,}\]])/g, '$1"$2"'))
  } catch (cause) {
    return fail('it is no JSON', cause)
  }
}
