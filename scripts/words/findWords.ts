import { parseSync, Visitor } from 'oxc-parser'
import { logWords, names, texts, type Word } from './words.ts'

export type Offence = { readonly path: string; readonly line: number; readonly found: string; readonly write: string }

type Text = { readonly text: string; readonly start: number }

/** Offences in a TypeScript file: in its exported names, its log messages, and its texts (literals of more than one word). */
export const findInSource = (path: string, source: string): Offence[] => {
  const { program, module, errors } = parseSync(path, source)
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const lineOf = createLineOf(source)
  const match = (words: readonly Word[], { text, start }: Text): Offence[] =>
    findWords(words, path, text).map(({ index, found, write }) => ({ path, line: lineOf(start + index), found, write }))

  const exported: Text[] = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName, start }) => ({ text: exportName.name ?? 'default', start: exportName.start ?? start })),
  )
  const literals: Text[] = []
  const logs: Text[] = []
  const addLiteral = (text: string, start: number): void => {
    if (/\p{L}\s+\p{L}/u.test(text) || text.startsWith('--')) literals.push({ text, start })
  }
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') addLiteral(source.slice(node.start + 1, node.end - 1), node.start + 1)
    },
    TemplateElement: (node) => addLiteral(node.value.raw, node.start),
    JSXText: (node) => addLiteral(node.value, node.start),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (!/^(debug|info|warn|error)$/.test(callee.property.name)) return
      if (!/logger$/i.test(source.slice(callee.object.start, callee.object.end))) return
      if (first?.type !== 'Literal' || typeof first.value !== 'string') return
      logs.push({ text: first.value, start: first.start + 1 })
    },
  }).visit(program)

  return [
    ...exported.flatMap((text) => match(names, text)),
    ...literals.flatMap((text) => match(texts, text)),
    ...logs.flatMap((text) => match([...logWords, ...(/\s/.test(text.text) ? [] : texts)], text)),
  ].sort((a, b) => a.line - b.line)
}

/** Offences in a page of the documentation. */
export const findInPage = (path: string, source: string): Offence[] => {
  const lineOf = createLineOf(source)
  return findWords(texts, path, source).map(({ index, found, write }) => ({ path, line: lineOf(index), found, write }))
}

const findWords = (words: readonly Word[], path: string, text: string) =>
  words
    .filter(({ within }) => within === undefined || within.test(path))
    .flatMap(({ pattern, write }) =>
      [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ index, 0: found }) => ({
        index,
        found,
        write,
      })),
    )

const createLineOf = (source: string): ((offset: number) => number) => {
  const starts = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => {
    const line = starts.findIndex((end) => end >= offset)
    return (line === -1 ? starts.length : line) + 1
  }
}
