import { parseSync, Visitor } from 'oxc-parser'

export type Import = { readonly specifier: string; readonly typeOnly: boolean; readonly line: number }

/** Every module a source names: static and dynamic imports, re-exports and `import('…')` types. */
export const readImports = (file: string, source: string): Import[] => {
  const { program, errors } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file} does not parse: ${errors[0].message}`)
  const imports: Import[] = []
  const add = (node: { value?: unknown; start: number } | null, typeOnly: boolean): void => {
    if (node === null || typeof node.value !== 'string') return
    imports.push({ specifier: node.value, typeOnly, line: source.slice(0, node.start).split('\n').length })
  }
  new Visitor({
    ImportDeclaration: (node) => {
      const names = node.specifiers
      const onlyTypes = names.length > 0 && names.every((name) => 'importKind' in name && name.importKind === 'type')
      add(node.source, node.importKind === 'type' || onlyTypes)
    },
    ExportNamedDeclaration: (node) => {
      const onlyTypes = node.specifiers.length > 0 && node.specifiers.every(({ exportKind }) => exportKind === 'type')
      add(node.source, node.exportKind === 'type' || onlyTypes)
    },
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source as { value?: unknown; start: number }, false),
    TSImportType: (node) => add(node.source, true),
  }).visit(program)
  return imports
}
