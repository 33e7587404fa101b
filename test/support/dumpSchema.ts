import type pg from 'pg'

type Named = { readonly name: string }
type TableRow = Named & {
  readonly oid: number
  readonly unlogged: boolean
  readonly options: readonly string[] | null
  readonly partition_key: string | null
  readonly parent: string | null
  readonly bound: string | null
}
type ColumnRow = Named & {
  readonly table_oid: number
  readonly type: string
  readonly not_null: boolean
  readonly default: string | null
  readonly generated: string
  readonly identity: string
  readonly storage: string | null
}
type PartRow = { readonly table_oid: number; readonly definition: string }

const TABLES = `
  SELECT c.oid::int, c.relname AS name, c.relpersistence = 'u' AS unlogged, c.reloptions AS options,
    pg_get_partkeydef(c.oid) AS partition_key, p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
  ORDER BY c.relname COLLATE "C"`

const COLUMNS = `
  SELECT a.attrelid::int AS table_oid, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS not_null, pg_get_expr(d.adbin, d.adrelid) AS default, a.attgenerated::text AS generated,
    a.attidentity::text AS identity, CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage::text END AS storage
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attrelid, a.attnum`

// Newer servers list NOT NULL among the constraints; here it stands with the column.
const CONSTRAINTS = `
  SELECT k.conrelid::int AS table_oid, format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)) AS definition
  FROM pg_constraint k
  WHERE k.conrelid <> 0 AND k.contype <> 'n' AND k.connamespace = current_schema()::regnamespace
  ORDER BY k.contype = 'p' DESC, k.conname COLLATE "C"`

const INDEXES = `
  SELECT i.indrelid::int AS table_oid, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
  ORDER BY c.relname COLLATE "C"`

const TYPES = `
  SELECT format('CREATE TYPE %I AS ENUM (%s)', t.typname,
    string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)) AS definition
  FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid
  WHERE t.typnamespace = current_schema()::regnamespace GROUP BY t.typname ORDER BY t.typname COLLATE "C"`

const FUNCTIONS = `
  SELECT trim(trailing E'\\n' from pg_get_functiondef(p.oid)) AS definition FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY p.proname COLLATE "C", pg_get_function_identity_arguments(p.oid)`

const TRIGGERS = `
  SELECT t.tgrelid::int AS table_oid, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t
  JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace ORDER BY t.tgname COLLATE "C"`

const VIEWS = `
  SELECT format('CREATE %sVIEW %I AS%s', CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END, c.relname,
    E'\\n' || trim(trailing ';' from pg_get_viewdef(c.oid))) AS definition
  FROM pg_class c WHERE c.relkind IN ('v', 'm') AND c.relnamespace = current_schema()::regnamespace
  ORDER BY c.relname COLLATE "C"`

/** The schema as SQL, from the catalogue, in a stable order: for reading and for comparison. The same on every server version. */
export const dumpSchema = async (client: pg.ClientBase): Promise<string> => {
  const rows = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => (await client.query<Row>(sql)).rows
  const tables = await rows<TableRow>(TABLES)
  const columns = await rows<ColumnRow>(COLUMNS)
  const constraints = await rows<PartRow>(CONSTRAINTS)
  const indexes = await rows<PartRow>(INDEXES)
  const triggers = await rows<PartRow>(TRIGGERS)
  const of = <Row extends { readonly table_oid: number }>(list: readonly Row[], { oid }: TableRow): Row[] =>
    list.filter(({ table_oid }) => table_oid === oid)
  const definitions = (list: readonly { readonly definition: string }[]): string[] =>
    list.map(({ definition }) => `${definition};`)
  const sections = [
    ...definitions(await rows<PartRow>(TYPES)),
    ...definitions(await rows<PartRow>(FUNCTIONS)),
    ...tables.map((table) =>
      [
        formatTable(table, of(columns, table), of(constraints, table)),
        ...definitions(of(indexes, table)),
        ...definitions(of(triggers, table)),
      ].join('\n'),
    ),
    ...definitions(await rows<PartRow>(VIEWS)),
  ]
  return `${sections.join('\n\n').replaceAll('public.', '')}\n`
}

const formatTable = (table: TableRow, columns: readonly ColumnRow[], constraints: readonly PartRow[]): string => {
  const head = `CREATE ${table.unlogged ? 'UNLOGGED ' : ''}TABLE ${table.name}`
  const tail = [
    ...(table.partition_key === null ? [] : [`PARTITION BY ${table.partition_key}`]),
    ...(table.options === null ? [] : [`WITH (${[...table.options].sort().join(', ')})`]),
  ]
  // A partition inherits from its parent.
  if (table.parent !== null) return `${[`${head} PARTITION OF ${table.parent} ${table.bound}`, ...tail].join(' ')};`
  const lines = [...columns.map(formatColumn), ...constraints.map(({ definition }) => definition)]
  return `${[`${head} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)`, ...tail].join(' ')};`
}

const storages: Readonly<Record<string, string>> = { p: 'PLAIN', e: 'EXTERNAL', x: 'EXTENDED', m: 'MAIN' }

const formatColumn = (column: ColumnRow): string =>
  [
    column.name,
    column.type,
    ...(column.storage === null ? [] : [`STORAGE ${storages[column.storage]}`]),
    ...(column.not_null ? ['NOT NULL'] : []),
    ...(column.identity === '' ? [] : [`GENERATED ${column.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`]),
    ...(column.default === null
      ? []
      : [column.generated === '' ? `DEFAULT ${column.default}` : `GENERATED ALWAYS AS (${column.default}) STORED`]),
  ].join(' ')
