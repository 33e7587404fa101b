import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/core/json/JsonValue.ts'
import { fixturesRoot } from './fixtures.ts'
import { parseAnswer } from './goldenCases.ts'

const oraclePath = join(fixturesRoot, '../contract/v2.openapi.json')

/** Where the published description is not there, why a test is skipped; else `false`. */
export const missingOracle = (): string | false =>
  existsSync(oraclePath) ? false : 'NOT TESTED: there is no description at ../shared/contract/v2.openapi.json.'

/** The published description of the interface, which tells whether an answer has the right shape. */
export class Oracle {
  readonly endpoints: readonly string[]
  private readonly schemas: JsonObject
  private readonly brand: string
  private readonly patterns = new Map<string, RegExp>()

  /** The name of the network that stands alone in some types is spelled as the dialect says. */
  constructor(brand: 'chain' | 'ton') {
    const document = parseAnswer(readFileSync(oraclePath, 'utf8')) as {
      paths: JsonObject
      components: { schemas: JsonObject }
    }
    this.schemas = document.components.schemas
    this.endpoints = Object.keys(document.paths).map((path) => path.slice(1))
    this.brand = brand
  }

  /** Everything that is wrong with an answer of an endpoint, whatever transport it came by. */
  checkAnswer(endpoint: string, status: number, body: JsonValue): string[] {
    if (status !== 200) return this.check({ $ref: '#/components/schemas/ErrorEnvelope' }, body, 'body')
    const { jsonrpc, id, ...others } = isJsonObject(body) ? body : {}
    // An id is echoed with its type (section 3 of the contract); the description knows the usual ones only.
    const isUsual = id === undefined || ['string', 'integer', 'null'].some((type) => isOfType(type, id))
    const enveloped = {
      ...others,
      // It is held against that of its own endpoint: here any that there is will do.
      result: 'active',
      ...(jsonrpc !== undefined && { jsonrpc }),
      ...(id !== undefined && isUsual && { id }),
    }
    const bare = this.check({ $ref: `#/components/schemas/${endpoint}Response` }, others as JsonObject, 'body')
    const isRpc = jsonrpc !== undefined || id !== undefined
    return isRpc ? [...bare, ...this.check({ $ref: '#/components/schemas/JsonRpcResponse' }, enveloped, 'body')] : bare
  }

  private check(schema: JsonValue | undefined, value: JsonValue, path: string): string[] {
    if (schema === true || schema === undefined) return []
    if (!isJsonObject(schema)) return [`${path}: nothing may be here`]
    return Object.entries(schema).flatMap(([keyword, argument]) =>
      this.checkKeyword(keyword, argument, schema, value, path),
    )
  }

  private checkKeyword(
    keyword: string,
    argument: JsonValue,
    schema: JsonObject,
    value: JsonValue,
    path: string,
  ): string[] {
    const fail = (isRight: boolean): string[] =>
      isRight ? [] : [`${path}: ${keyword} ${show(argument)}, got ${show(value)}`]
    switch (keyword) {
      case '$ref':
        return this.check(this.resolve(argument as string), value, path)
      case 'type':
        return fail([argument].flat().some((type) => isOfType(type as string, value)))
      case 'const':
        return fail(value === this.spell(argument))
      case 'enum':
        return fail((argument as readonly JsonValue[]).includes(value))
      case 'pattern':
        return fail(typeof value !== 'string' || this.patternOf(argument as string).test(value))
      case 'minLength':
        return fail(typeof value !== 'string' || value.length >= (argument as number))
      case 'minimum':
        return fail(!isNumber(value) || value >= (argument as number))
      case 'maximum':
        return fail(!isNumber(value) || value <= (argument as number))
      case 'minItems':
        return fail(!Array.isArray(value) || value.length >= (argument as number))
      case 'maxItems':
        return fail(!Array.isArray(value) || value.length <= (argument as number))
      case 'required':
        return isJsonObject(value)
          ? (argument as readonly string[]).flatMap((name) =>
              Object.hasOwn(value, name) ? [] : [`${path}.${name}: missing`],
            )
          : []
      case 'properties':
        return Object.entries(argument as JsonObject).flatMap(([name, member]) =>
          isJsonObject(value) && Object.hasOwn(value, name) ? this.check(member, value[name]!, `${path}.${name}`) : [],
        )
      case 'additionalProperties':
        return isJsonObject(value)
          ? Object.entries(value)
              .filter(([name]) => !Object.hasOwn((schema['properties'] ?? {}) as JsonObject, name))
              .flatMap(([name, member]) => this.check(argument, member, `${path}.${name}`))
          : []
      case 'prefixItems':
        return (argument as readonly JsonValue[]).flatMap((item, at) =>
          Array.isArray(value) && at < value.length ? this.check(item, value[at]!, `${path}[${at}]`) : [],
        )
      case 'items': {
        const from = Array.isArray(schema['prefixItems']) ? schema['prefixItems'].length : 0
        const items: readonly JsonValue[] = Array.isArray(value) ? value.slice(from) : []
        return items.flatMap((item, at) => this.check(argument, item, `${path}[${from + at}]`))
      }
      case 'anyOf':
      case 'oneOf':
        return this.checkChoice(keyword, argument as readonly JsonValue[], value, path)
      case 'description':
      case 'examples':
      case 'default':
      case 'format':
        return []
      default:
        throw new Error(`The description uses ${keyword}, which is not known here.`)
    }
  }

  private checkChoice(keyword: string, choices: readonly JsonValue[], value: JsonValue, path: string): string[] {
    const tries = choices.map((choice) => this.check(choice, value, path))
    const fitting = tries.filter((found) => found.length === 0).length
    if (fitting === 1 || (fitting > 1 && keyword === 'anyOf')) return []
    if (fitting > 1) return [`${path}: fits ${fitting} of the choices, not one`]
    // The choice that is meant is most likely the one that fails latest: its faults are the deepest.
    const depth = (found: readonly string[]): number => Math.max(...found.map((line) => line.split(': ')[0]!.length))
    return tries.toSorted((a, b) => depth(b) - depth(a))[0]!
  }

  private resolve(reference: string): JsonValue {
    const name = reference.replace('#/components/schemas/', '')
    const schema = this.schemas[name]
    if (schema === undefined) throw new Error(`The description has no schema ${name}.`)
    return schema
  }

  private patternOf(source: string): RegExp {
    const pattern = this.patterns.get(source) ?? new RegExp(source)
    this.patterns.set(source, pattern)
    return pattern
  }

  private spell(constant: JsonValue): JsonValue {
    return constant === 'chain.blockIdExt' ? `${this.brand}.blockIdExt` : constant
  }
}

const isNumber = (value: JsonValue): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

const isOfType = (type: string, value: JsonValue): boolean => {
  switch (type) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'number':
      return isNumber(value)
    default:
      // The types that are left have the names that JavaScript gives them.
      return typeof value === type
  }
}

const show = (value: JsonValue): string => {
  const text =
    typeof value === 'bigint'
      ? `${value}`
      : (JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}` : item)) ?? '')
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
