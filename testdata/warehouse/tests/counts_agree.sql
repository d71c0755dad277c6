select overall, exceptions, incomplete, n, exceptions_n, incomplete_n
from {{ source('audit', 'run') }}, (
  select
    count(*) as n,
    count(*) filter (severity = 'required' and verdict = 'VIOLATED') as exceptions_n,
    count(*) filter (severity = 'required' and verdict in ('NOT ESTABLISHED', 'NOT RUN')) as incomplete_n
  from {{ source('audit', 'claims') }}
)
where n <> claims or exceptions_n <> exceptions or incomplete_n <> incomplete
