select experiment, id, verdict, reason
from {{ source('audit', 'claims') }}
where severity = 'required' and verdict in ('VIOLATED', 'NOT ESTABLISHED', 'NOT RUN')
