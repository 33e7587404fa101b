import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { functionId } from '../../codec/tlb/VmValue.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { fromHex } from '../../primitives/hex.ts'
import { SourceMapInvalidError } from '../errors.ts'
import { listMethodLeaves, readMarks, sortMarks } from './markDictionary.ts'
import type { SourceMap, SourcePosition } from './SourceMap.ts'

/** Debug output of compilers, turned into our own form. Only what is used is looked at; anything that does not fit is refused. */

type Json = Readonly<Record<string, unknown>>

/** Texts of source files by path, where the output does not have them. */
export type SourceTexts = Readonly<Record<string, string>>

/** Reads a source map of any known form. `codeHash` is needed where the form does not tell whose code it is. */
export const importSourceMap = (given: unknown, codeHash?: string, texts: SourceTexts = {}): SourceMap => {
  const source = asObject(given, 'A source map')
  try {
    if ('marks' in source && 'places' in source) return readOwn(source)
    if ('debugMarksJson' in source || 'debug_marks_json' in source) return importTolk(source, texts)
    if ('debugMarksBoc' in source) return importFunc(source, texts)
    const highLevel = source['highlevelMapping'] ?? source['highLevelMapping']
    if (highLevel !== undefined) return importTonSourceMap(asObject(highLevel, 'A mapping'), source, codeHash)
    if ('cells' in source) return importAssembly(source, codeHash)
  } catch (cause) {
    if (cause instanceof SourceMapInvalidError || !(cause instanceof CodedError)) throw cause
    throw new SourceMapInvalidError(`The source map cannot be read: ${cause.message}`, { cause })
  }
  throw new SourceMapInvalidError(
    'Expected a source map: debug output of Tolk or FunC, a map of ton-source-map, an assembler mapping, or the form of this service.',
  )
}

// --- our own form

const readOwn = (source: Json): SourceMap => {
  const marks: Record<string, readonly (readonly [number, number])[]> = {}
  for (const [cell, list] of Object.entries(asObject(source['marks'], 'marks'))) {
    marks[normalizeHash(cell)] = sortMarks(
      asList(list, 'marks of a cell').map((pair) => {
        const [offset, mark] = asList(pair, 'a mark')
        return [asNumber(offset, 'an offset'), asNumber(mark, 'a mark')]
      }),
    )
  }
  const files = asList(source['files'], 'files').map((file) => {
    const { path, text } = asObject(file, 'a file')
    return { path: asText(path, 'a path'), ...(typeof text === 'string' && { text }) }
  })
  return {
    language: asText(source['language'] ?? 'unknown', 'language'),
    ...(typeof source['compiler'] === 'string' && { compiler: source['compiler'] }),
    code_hash: normalizeHash(asText(source['code_hash'], 'code_hash')),
    files,
    marks,
    places: asList(source['places'], 'places').map((place) => readPlace(place, files.length)),
    methods: readNames(source['methods']),
    errors: readNames(source['errors']),
    ...(source['abi'] !== undefined && { abi: source['abi'] }),
  }
}

const readPlace = (given: unknown, fileCount: number): SourcePosition | null => {
  if (given === null) return null
  const place = asObject(given, 'a place')
  const f = asNumber(place['f'], 'the file of a place')
  if (f >= fileCount) throw new SourceMapInvalidError(`A place is in file ${f}, but there are ${fileCount} files.`)
  const { el, ec, fn, inlined, vars } = place
  return {
    f,
    l: asNumber(place['l'], 'a line'),
    c: asNumber(place['c'] ?? 1, 'a column'),
    ...(typeof el === 'number' && { el }),
    ...(typeof ec === 'number' && { ec }),
    ...(typeof fn === 'string' && { fn }),
    ...(typeof inlined === 'string' && { inlined }),
    ...(Array.isArray(vars) && { vars: vars.map(String) }),
  }
}

const readNames = (given: unknown): Record<string, string> =>
  given === undefined
    ? {}
    : Object.fromEntries(Object.entries(asObject(given, 'names')).map(([k, v]) => [k, String(v)]))

// --- Tolk

/** Output of the Tolk compiler with debug marks: symbols, marks with their ranges, and where the marks are in the code. */
const importTolk = (source: Json, texts: SourceTexts): SourceMap => {
  const get = (name: string, other: string): unknown => source[name] ?? source[other]
  const symbols = asObject(get('symbolTypesJson', 'symbol_types_json'), 'symbolTypesJson')
  const code = readBoc(get('codeBoc64', 'code_boc64'), 'codeBoc64')
  const marksRoot = readBoc(get('debugMarksBase64', 'debug_marks_base64'), 'debugMarksBase64')
  const fileIds = new Map<number, number>()
  const files = asList(symbols['files'], 'files').map((file, k) => {
    const { file_id: id, file_name: name } = asObject(file, 'a file')
    const path = asText(name, 'file_name')
    fileIds.set(asNumber(id, 'file_id'), k)
    return withText(path, texts)
  })
  const functions = asList(symbols['functions'] ?? [], 'functions').map((given) => {
    const { name, f_idx: index, ident_loc: start, end_loc: end } = asObject(given, 'a function')
    return {
      index: asNumber(index, 'f_idx'),
      name: asText(name, 'a name'),
      start: readRange(start),
      end: readRange(end),
    }
  })
  const nameOf = (index: unknown): string | undefined => functions.find((given) => given.index === index)?.name
  const places: (SourcePosition | null)[] = []
  for (const given of asList(get('debugMarksJson', 'debug_marks_json'), 'debugMarksJson')) {
    const mark = asObject(given, 'a mark')
    const { kind } = mark
    const isPlace = kind === 'loc' || kind === 'leave_fun' || (kind === 'enter_fun' && mark['is_inlined'] === true)
    const range = isPlace ? readRange(mark['range']) : undefined
    const f = range && fileIds.get(range.file)
    if (range === undefined || f === undefined || range.line === 0) {
      places.push(null)
      continue
    }
    const inner = functions
      .filter(({ start, end }) => start.file === range.file && start.line <= range.line && end.endLine >= range.line)
      .sort((a, b) => a.end.endLine - a.start.line - (b.end.endLine - b.start.line))[0]
    const fn = nameOf(mark['f_idx']) ?? inner?.name
    places.push({
      f,
      l: range.line,
      c: range.column,
      el: range.endLine,
      ec: range.endColumn,
      ...(fn !== undefined && { fn }),
    })
  }
  return {
    language: 'tolk',
    ...(typeof source['tolkVersion'] === 'string' && { compiler: `tolk ${source['tolkVersion']}` }),
    code_hash: toBase64(code.hash()),
    files,
    marks: readMarks(marksRoot, code),
    places,
    methods: namesInCode(
      code,
      functions.map(({ name }) => name),
    ),
    errors: {},
  }
}

/** File, first line and column, last line and column. */
const readRange = (given: unknown) => {
  const [file, line, column, endLine, endColumn] = asList(given, 'a range').map((n) => asNumber(n, 'a range')) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return { file, line, column, endLine, endColumn }
}

// --- FunC

/** Output of the FunC compiler's debugger build: a list of places whose positions are the marks. */
const importFunc = (source: Json, texts: SourceTexts): SourceMap => {
  const code = readBoc(source['codeBoc'], 'codeBoc')
  const locations = asList(asObject(source['debugInfo'], 'debugInfo')['locations'], 'locations').map((given) =>
    asObject(given, 'a location'),
  )
  const snapshot = asList(source['snapshot'] ?? [], 'snapshot').map((given) => asObject(given, 'a file'))
  const known: Record<string, string> = { ...texts }
  for (const { filename, content } of snapshot) known[String(filename)] ??= String(content)
  const paths = [...new Set(locations.map(({ file }) => asText(file, 'a file')))]
  return {
    language: 'func',
    code_hash: toBase64(code.hash()),
    files: paths.map((path) => withText(path, known)),
    marks: readMarks(readBoc(source['debugMarksBoc'], 'debugMarksBoc'), code),
    places: locations.map(({ file, line, pos, func, vars }) => ({
      f: paths.indexOf(String(file)),
      l: asNumber(line, 'a line'),
      c: asNumber(pos, 'a column') + 1,
      ...(typeof func === 'string' && { fn: func }),
      ...(Array.isArray(vars) && { vars: vars.map(String) }),
    })),
    methods: namesInCode(
      code,
      locations.map(({ func }) => String(func)),
    ),
    errors: {},
  }
}

// --- ton-source-map and assembler mappings

const importTonSourceMap = (highLevel: Json, source: Json, codeHash: string | undefined): SourceMap => {
  const files = asList(highLevel['files'], 'files').map((given) => {
    const { path, content } = asObject(given, 'a file')
    return { path: asText(path, 'a path'), ...(typeof content === 'string' && { text: content }) }
  })
  const places: (SourcePosition | null)[] = []
  for (const given of asList(highLevel['locations'], 'locations')) {
    const { idx, loc, context, vars } = asObject(given, 'a location')
    const { file, line, col, length } = asObject(loc, 'loc')
    const { func_name: fn, inlined_to_func: inlined } = asObject(context ?? {}, 'context')
    const f = files.findIndex(({ path }) => path === file)
    const index = asNumber(idx, 'idx')
    while (places.length < index) places.push(null)
    const c = asNumber(col, 'col') + 1
    places[index] =
      f === -1
        ? null
        : {
            f,
            l: asNumber(line, 'line') + 1,
            c,
            ...(typeof length === 'number' && { el: asNumber(line, 'line') + 1, ec: c + length }),
            ...(typeof fn === 'string' && { fn }),
            ...(typeof inlined === 'string' && { inlined }),
            ...(Array.isArray(vars) && { vars: vars.map((given) => String(asObject(given, 'a variable')['name'])) }),
          }
  }
  const assembly = asObject(source['assemblyMapping'], 'assemblyMapping')
  const marks = readAssembly(assembly, (instruction) =>
    asList(instruction['debugSections'] ?? [], 'debugSections').map((mark) => asNumber(mark, 'a debug section')),
  )
  const given = codeHash ?? findHash(source)
  return { language: 'func', code_hash: given, files, marks, places, methods: {}, errors: {} }
}

/** Positions of instructions in assembler text. */
const importAssembly = (source: Json, codeHash: string | undefined): SourceMap => {
  const files: { path: string }[] = []
  const places: SourcePosition[] = []
  const marks = readAssembly(source, ({ loc, name }) => {
    if (loc === undefined || loc === null) return []
    const { file, line } = asObject(loc, 'loc')
    const path = String(file ?? 'code.tasm')
    let f = files.findIndex((known) => known.path === path)
    if (f === -1) f = files.push({ path }) - 1
    return [places.push({ f, l: asNumber(line, 'line') + 1, c: 1, fn: String(name ?? '') }) - 1]
  })
  return { language: 'asm', code_hash: codeHash ?? findHash(source), files, marks, places, methods: {}, errors: {} }
}

/** Marks of each cell; what stands in a dictionary is also found under the cell of the dictionary, further on. */
const readAssembly = (source: Json, marksOf: (instruction: Json) => readonly number[]): SourceMap['marks'] => {
  const marks: Record<string, [number, number][]> = {}
  for (const [cell, given] of Object.entries(asObject(source['cells'], 'cells'))) {
    const list: [number, number][] = []
    for (const item of asList(asObject(given, 'a cell')['instructions'], 'instructions')) {
      const instruction = asObject(item, 'an instruction')
      for (const mark of marksOf(instruction)) list.push([asNumber(instruction['offset'], 'an offset'), mark])
    }
    marks[normalizeHash(cell)] = sortMarks(list)
  }
  for (const given of asList(source['dictionaryCells'] ?? [], 'dictionaryCells')) {
    const { cell, offset, dataCell } = asObject(given, 'a dictionary cell')
    const inner = marks[normalizeHash(asText(dataCell, 'dataCell'))]
    const shift = asNumber(offset, 'an offset')
    if (inner !== undefined)
      marks[normalizeHash(asText(cell, 'a cell'))] = inner.map(([at, mark]) => [at + shift, mark])
  }
  return marks
}

const findHash = (source: Json): string => {
  const { recompiledCode, code_hash: hash } = source
  if (typeof hash === 'string') return normalizeHash(hash)
  if (typeof recompiledCode === 'string') return toBase64(readBoc(recompiledCode, 'recompiledCode').hash())
  throw new SourceMapInvalidError('The source map does not say which code it belongs to: give the hash of the code.')
}

// --- parts

const withText = (path: string, texts: SourceTexts) => {
  const text = texts[path]
  return text === undefined ? { path } : { path, text }
}

/** Which of these functions are methods of the code, by number. */
const namesInCode = (code: Cell, names: readonly string[]): Record<string, string> => {
  const ids = new Set(listMethodLeaves(code).map(({ id }) => id))
  const special: Readonly<Record<string, string>> = { onInternalMessage: '0', onExternalMessage: '-1' }
  const found: Record<string, string> = {}
  for (const name of names) {
    const id = special[name] ?? String(functionId(name))
    if (ids.has(Number(id))) found[id] = name
  }
  return found
}

const readBoc = (given: unknown, what: string): Cell => {
  const text = asText(given, what)
  return decodeSingleBoc(fromBase64(text))
}

/** A hash in hexadecimal digits or base64, as base64. */
const normalizeHash = (text: string): string => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return toBase64(fromHex(text.toLowerCase()))
  const bytes = fromBase64(text)
  if (bytes.length === 32) return toBase64(bytes)
  throw new SourceMapInvalidError(
    `A hash has 32 bytes in hexadecimal digits or base64, but got "${text.slice(0, 80)}".`,
  )
}

const fail = (what: string, expected: string): never => {
  throw new SourceMapInvalidError(`The source map cannot be read: expected ${what} to be ${expected}.`)
}

const asObject = (value: unknown, what: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : fail(what, 'an object')

const asList = (value: unknown, what: string): readonly unknown[] =>
  Array.isArray(value) ? value : fail(what, 'a list')

const asText = (value: unknown, what: string): string => (typeof value === 'string' ? value : fail(what, 'a text'))

const asNumber = (value: unknown, what: string): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : fail(what, 'a whole number')
