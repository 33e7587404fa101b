import { formatHex } from './emitConstructors.ts'
import type { TlCombinator } from './parseTlSchema.ts'
import { type TlModel, toPascalCase } from './TlModel.ts'
import { fit, type TlSource } from './TlSource.ts'

const emitEncode = (source: TlSource, c: TlCombinator): string => {
  if (c.fields.length === 0) return `() => ${source.use('encodeTlObject', '../tlObject.ts')}({ kind: '${c.name}' })`
  const encode = source.use('encodeBoxed', '../boxed.ts')
  const write = source.use(`write${toPascalCase(c.name)}`, `./${c.file}.ts`)
  return `(args) => ${encode}(${formatHex(c.id)}, ${write}, args)`
}

const emitResult = (model: TlModel, source: TlSource, c: TlCombinator): string[] => {
  if (c.resultType === 'Object') {
    const decode = source.use('decodeTlObject', '../tlObject.ts')
    const encode = source.use('encodeTlObject', '../tlObject.ts')
    return [`    decodeResult: (bytes) => ${decode}(bytes),`, `    encodeResult: (result) => ${encode}(result),`]
  }
  const [result] = model.getConstructorsOf(c.resultType) as readonly [TlCombinator]
  const name = toPascalCase(result.name)
  const decode = source.use('decodeBoxed', '../boxed.ts')
  const encode = source.use('encodeBoxed', '../boxed.ts')
  const read = source.use(`read${name}`, `./${result.file}.ts`)
  const write = source.use(`write${name}`, `./${result.file}.ts`)
  const args = ['bytes', formatHex(result.id), `'${result.name}'`, read]
  const call = `${decode}(${args.join(', ')}),`
  const brokenCall = fit(`      ${call}`, `      ${decode}(`, ...args.map((arg) => `        ${arg},`), '      ),')
  return [
    ...fit(`    decodeResult: (bytes) => ${call}`, '    decodeResult: (bytes) =>', ...brokenCall),
    `    encodeResult: (result) => ${encode}(${formatHex(result.id)}, ${write}, result),`,
  ]
}

/** What every function answers, and the table by which a client calls it and a server answers it. */
export const emitFunctions = (model: TlModel, source: TlSource): void => {
  const functions = model.combinators.filter((c) => c.isFunction)
  const results = functions.map((c) => {
    if (c.resultType === 'Object') return `  '${c.name}': ${source.useType('TlObject', './objects.ts')}`
    const [result] = model.getConstructorsOf(c.resultType) as readonly [TlCombinator]
    return `  '${c.name}': ${source.useType(toPascalCase(result.name), `./${result.file}.ts`)}`
  })
  source.add('/** The answer to every function. */', 'export type TlResults = {', ...results, '}')
  source.add(`export type TlFunctionName = keyof ${source.useType('TlArguments', './objects.ts')}`)
  source.add(
    '/** `decodeResult` takes the answer proper; `liteServer.error` in its place is for `decodeLiteAnswer`. */',
    'export type TlFunction<K extends TlFunctionName> = {',
    '  readonly id: number',
    '  readonly encode: (args: TlArguments[K]) => Uint8Array',
    '  readonly decodeResult: (bytes: Uint8Array) => TlResults[K]',
    '  readonly encodeResult: (result: TlResults[K]) => Uint8Array',
    '}',
  )
  const rows = functions.flatMap((c) => [
    `  '${c.name}': {`,
    `    id: ${formatHex(c.id)},`,
    `    encode: ${emitEncode(source, c)},`,
    ...emitResult(model, source, c),
    '  },',
  ])
  source.add('export const tlFunctions: { readonly [K in TlFunctionName]: TlFunction<K> } = {', ...rows, '}')
}
