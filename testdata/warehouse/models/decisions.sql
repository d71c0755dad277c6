select experiment, id, arm_label, versus_label, decision, method, p_adjusted, ci_lo, ci_hi
from {{ source('audit', 'tests') }}
where method = decided_by
