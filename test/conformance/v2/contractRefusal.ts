import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { readAddress, readHash } from '../../support/goldenAddress.ts'
import type { Question } from '../../support/goldenQuestion.ts'
import { contractParams, type ParamRule, type ParamRules, postOnly } from './contractParams.ts'
import { stackRefusal } from './contractStack.ts'
import { type Refusal, refusal } from './Expectation.ts'

type Fault = string | RegExp

/**
 * What the contract (sections 1, 3, 4.2, 4.4 and 6) refuses a question with before any node is asked; `undefined` where it
 * serves it. Where a question has several faults, any of them may be the one that is told.
 */
export const contractRefusal = (question: Question): Refusal | undefined => {
  const { endpoint = '', transport, params } = question
  const ofRequest = transport === 'rpc' ? rpcRefusal(question) : restRefusal(question)
  if (ofRequest !== undefined) return ofRequest
  const rules = contractParams[endpoint]!
  const faults = [
    ...(transport === 'get' ? [] : unknownMembers(params, rules)),
    ...Object.entries(rules).flatMap(([name, rule]) => paramFaults(question, name, rule)),
    ...togetherFaults(question),
  ]
  return faults.length > 0 ? refusal(422, ...faults) : stackRefusal(endpoint, params['stack'])
}

const restRefusal = ({ endpoint = '', method, body }: Question): Refusal | undefined => {
  if (endpoint === 'jsonRPC') return refusal(405, /./)
  if (!Object.hasOwn(contractParams, endpoint)) return refusal(404, 'Not Found')
  if (method === 'GET') return postOnly.has(endpoint) ? refusal(405, /./) : undefined
  return isJsonObject(parse(body)) ? undefined : refusal(422, /^failed to parse post request: ./)
}

const rpcRefusal = ({ body, endpoint }: Question): Refusal | undefined => {
  const request = parse(body)
  if (!isJsonObject(request)) return refusal(422, /./)
  const { params, id } = request
  if (typeof id === 'object' && id !== null) return refusal(422, /\bid\b/)
  if (endpoint === undefined) return refusal(422, /method/i)
  if (!Object.hasOwn(contractParams, endpoint)) return refusal(422, 'Unknown method')
  const isEmpty = params === undefined || params === null || (Array.isArray(params) && params.length === 0)
  return isEmpty || isJsonObject(params) ? undefined : refusal(422, 'params must contain an object')
}

const parse = (text: string | undefined): JsonValue | undefined => {
  try {
    return JSON.parse(text ?? '') as JsonValue
  } catch {
    return undefined
  }
}

const unknownMembers = (params: JsonObject, rules: ParamRules): Fault[] =>
  Object.keys(params)
    .filter((name) => name !== '@extra' && !Object.hasOwn(rules, name))
    .map((name) => new RegExp(`^failed to parse post request: .*Unknown property '${name}'`))

/** A value that counts as given: by the contract neither null in a body nor an empty hash or switch is one. */
const findGiven = ({ transport, params }: Question, name: string, { kind }: ParamRule): JsonValue | undefined => {
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  if (value === null && transport !== 'get') return undefined
  return value === '' && ['hash', 'accountOrHash', 'bool'].includes(kind) ? undefined : value
}

const paramFaults = (question: Question, name: string, rule: ParamRule): Fault[] => {
  const value = findGiven(question, name, rule)
  if (value === undefined || (rule.kind === 'address' && value === '')) {
    return rule.required === true ? missingFaults(question, name, rule) : []
  }
  if (!isReadable(rule.kind, value, question.transport === 'get')) return unreadableFaults(question, name, rule, value)
  return [...rangeFaults(name, rule, value), ...formFaults(question, name, value)]
}

const missingFaults = ({ transport, endpoint }: Question, name: string, { kind, sign }: ParamRule): Fault[] => {
  const named = new RegExp(`^failed to (parse|validate) (get |post )?request: .*${name}`)
  if (kind === 'address')
    return [/^failed to parse (get|post) request: .*(address|source|destination)/i, /: empty .*address$/]
  if (kind === 'hash') return [/empty hash/]
  if (transport !== 'get') return [named]
  if (endpoint === 'getShardBlockProof') return [`failed to parse get request: ${name} required`]
  const positive = `failed to validate request: ${name} should be positive`
  const unparsed = `failed to parse get request: failed to parse ${name}`
  if (endpoint === 'getShards' || endpoint === 'shards' || endpoint === 'getMasterchainBlockSignatures')
    return [positive]
  return sign === 'positive' ? [unparsed, positive] : [unparsed]
}

const unreadableFaults = (
  { transport, endpoint }: Question,
  name: string,
  rule: ParamRule,
  value: JsonValue,
): Fault[] => {
  if (transport !== 'get') {
    const spelled = rule.kind === 'address' ? [`failed to parse post request: Failed to parse address: '${value}'`] : []
    return [new RegExp(`^failed to parse post request: .*${name}`), ...badBytes(rule, name), ...spelled]
  }
  if (endpoint === 'detectHash') return [`failed to parse get request: invalid hash: '${value}'`]
  if (rule.kind !== 'address') return [`failed to parse get request: failed to parse ${name}`]
  const told = `failed to parse get request: Failed to parse address: '${value}'`
  return endpoint?.startsWith('getTransactions')
    ? [told, 'failed to parse get request: failed to parse address']
    : [told]
}

const badBytes = ({ kind }: ParamRule, name: string): Fault[] =>
  kind === 'bytes' ? [new RegExp(`^failed to parse post request: .*${name}.*invalid base64 encoded bytes`)] : []

const switches = /^(y|yes|t|true|on|1|n|no|f|false|off|0)$/i

const isReadable = (kind: ParamRule['kind'], value: JsonValue, isQuery: boolean): boolean => {
  switch (kind) {
    case 'address':
      return readAddress(value) !== undefined
    case 'hash':
      return readHash(value) !== undefined
    case 'accountOrHash':
      return readAddress(value) !== undefined || readHash(value) !== undefined
    case 'int32':
      return isInteger(value, isQuery, 32n)
    case 'int64':
      return isInteger(value, isQuery, 64n)
    case 'bool':
      return typeof value === 'string'
        ? switches.test(value)
        : typeof value === 'boolean' || isInteger(value, isQuery, 64n)
    case 'bytes':
      return typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value
    case 'hashes':
      return (Array.isArray(value) || isQuery) && [value].flat().every((item) => readHash(item) !== undefined)
    case 'method':
      return typeof value === 'string' || isInteger(value, isQuery, 32n)
    case 'text':
      return typeof value === 'string'
    case 'free':
      return true
  }
}

/** A decimal number of so many bits: as JSON integer, or as text without blanks. */
const isInteger = (value: JsonValue, isQuery: boolean, bits: bigint): boolean => {
  if (typeof value === 'number' && !Number.isInteger(value)) return false
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return false
  if (typeof value !== 'string' && isQuery && !/^-?[0-9]+$/.test(`${value}`)) return false
  if (!/^-?[0-9]+$/.test(`${value}`)) return false
  return BigInt.asIntN(Number(bits), BigInt(value)) === BigInt(value)
}

const rangeFaults = (name: string, { kind, sign, max }: ParamRule, value: JsonValue): Fault[] => {
  if (kind === 'bytes' && name === 'boc' && value === '') return ['failed to validate request: empty boc']
  if (kind === 'hashes' && [value].flat().length > 16) return [/librar/]
  if (sign === undefined) return []
  const number = BigInt(value as string | number | bigint)
  const said = name === 'config_id' ? '(param|config_id)' : name
  if (sign === 'positive' && number <= 0n) return [`failed to validate request: ${name} should be positive`]
  if (sign === 'nonNegative' && number < 0n) {
    return [new RegExp(`^failed to validate request: ${said} should be non-negative$`)]
  }
  if (max === undefined || number <= BigInt(max)) return []
  return [`failed to validate request: ${name} should be less or equal ${max}`]
}

/** An address that is read, but has no friendly form to be answered with. */
const formFaults = ({ endpoint }: Question, name: string, value: JsonValue): Fault[] => {
  if (name !== 'address' || (endpoint !== 'packAddress' && endpoint !== 'detectAddress')) return []
  const { workchain } = readAddress(value)!
  return workchain === (workchain << 24) >> 24 ? [] : [/address/i]
}

const togetherFaults = (question: Question): Fault[] => {
  const { endpoint = '' } = question
  const rules = contractParams[endpoint]!
  const given = (name: string): boolean => findGiven(question, name, rules[name]!) !== undefined
  const count = (...names: string[]): number => names.filter(given).length
  const says = (text: string): Fault[] => [`failed to validate request: ${text}`]
  if (endpoint === 'lookupBlock' && count('seqno', 'lt', 'unixtime') !== 1) {
    return says('exactly one of seqno, lt, unixtime should be specified')
  }
  if (endpoint === 'getConfigParam' && count('param', 'config_id') !== 1) {
    return says('only one of config_id or param should be specified')
  }
  if (endpoint.startsWith('getBlockTransactions') && count('after_lt', 'after_hash') === 1) {
    return says('after_lt and after_hash should be used together')
  }
  if (endpoint.startsWith('getTransactions') && count('lt', 'hash') === 1) {
    const isAbsentLt = endpoint === 'getTransactions' && given('lt') && /^-?0+$/.test(`${question.params['lt']}`)
    return isAbsentLt ? [] : says('lt and hash should be used together')
  }
  return []
}
