"""Chat templates in the shapes of well-known families, and small pieces of templates, each with the
text that transformers 5.24 (Jinja 3.1.6) makes of it: `python chat_templates.py` writes
chat_templates.json. The templates are written for this file after the documented formats; they are
none of the originals."""

import datetime
import json
import tempfile
from pathlib import Path

import jinja2
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors
from transformers.utils import chat_template_utils

HERE = Path(__file__).parent

NOW = datetime.datetime(2026, 3, 4, 5, 6, 7)

TEMPLATES = {
    "chatml": """{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}""",
    "smollm2": """{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nYou are a small helper<|im_end|>\\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}""",
    "llama3": """{{- bos_token }}
{%- if custom_tools is defined %}
    {%- set tools = custom_tools %}
{%- endif %}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- if not tools is defined %}
    {%- set tools = none %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
{%- endif %}
{{- "Today Date: " + date_string + "\\n\\n" }}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("One call at a time!") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
        {{- '{"name": "' + tool_call.name + '", ' }}
        {{- '"parameters": ' }}
        {{- tool_call.arguments | tojson }}
        {{- "}" }}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
""",
    "mistral": """{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}{% for message in loop_messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if loop.index0 == 0 and system_message != false %}{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}{{ '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' ' + content.strip() + eos_token }}{% endif %}{% endfor %}""",
    "qwen2": """{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nYou are a helpful assistant<|im_end|>\\n' }}{% endif %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] }}{% if (loop.last and add_generation_prompt) or not loop.last %}{{ '<|im_end|>' + '\\n'}}{% endif %}{% endfor %}{% if add_generation_prompt and messages[-1]['role'] != 'assistant' %}{{ '<|im_start|>assistant\\n' }}{% endif %}""",
    "qwen3": """{%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}
        {%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set reasoning_content = '' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning_content = message.reasoning_content %}
        {%- else %}
            {%- if '</think>' in content %}
                {%- set reasoning_content = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
                {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
            {%- endif %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index %}
            {%- if loop.last or (not loop.last and reasoning_content) %}
                {{- '<|im_start|>' + message.role + '\\n<think>\\n' + reasoning_content.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
            {%- else %}
                {{- '<|im_start|>' + message.role + '\\n' + content }}
            {%- endif %}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}""",
    "gemma": """{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}{% endfor %}{% if add_generation_prompt %}{{'<start_of_turn>model\\n'}}{% endif %}""",
    "gemma3": """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}
        {%- set first_user_prefix = messages[0]['content'] + '

' -%}
    {%- else -%}
        {%- set first_user_prefix = messages[0]['content'][0]['text'] + '

' -%}
    {%- endif -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set first_user_prefix = "" -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'assistant') -%}
        {%- set role = "model" -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + role + '
' + (first_user_prefix if loop.first else "") }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}
            {%- if item['type'] == 'image' -%}
                {{ '<start_of_image>' }}
            {%- elif item['type'] == 'text' -%}
                {{ item['text'] | trim }}
            {%- endif -%}
        {%- endfor -%}
    {%- else -%}
        {{ raise_exception("Invalid content type") }}
    {%- endif -%}
    {{ '<end_of_turn>
' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model
'}}
{%- endif -%}
""",
    "phi3": """{% for message in messages %}{% if message['role'] == 'system' and message['content'] %}{{'<|system|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'user' %}{{'<|user|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'assistant' %}{{'<|assistant|>
' + message['content'] + '<|end|>
'}}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>
' }}{% else %}{{ eos_token }}{% endif %}""",
    "zephyr": """{% for message in messages %}
{% if message['role'] == 'user' %}
{{ '<|user|>
' + message['content'] + eos_token }}
{% elif message['role'] == 'system' %}
{{ '<|system|>
' + message['content'] + eos_token }}
{% elif message['role'] == 'assistant' %}
{{ '<|assistant|>
'  + message['content'] + eos_token }}
{% endif %}
{% if loop.last and add_generation_prompt %}
{{ '<|assistant|>' }}
{% endif %}
{% endfor %}""",
    "command-r": """{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}{% elif false == true %}{% set loop_messages = messages %}{% set system_message = 'You are Command.' %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}{% if system_message != false %}{{ '<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>' + system_message + '<|END_OF_TURN_TOKEN|>' }}{% endif %}{% for message in loop_messages %}{% set content = message['content'] %}{% if message['role'] == 'user' %}{{ '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>' + content.strip() + '<|END_OF_TURN_TOKEN|>' }}{% elif message['role'] == 'assistant' %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>'  + content.strip() + '<|END_OF_TURN_TOKEN|>' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}{% endif %}""",
    "deepseek": """{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}{% set ns = namespace(is_first=false, is_tool=false, is_output_first=true, system_prompt='') %}{%- for message in messages %}{%- if message['role'] == 'system' %}{% set ns.system_prompt = message['content'] %}{%- endif %}{%- endfor %}{{bos_token}}{{ns.system_prompt}}{%- for message in messages %}{%- if message['role'] == 'user' %}{%- set ns.is_tool = false -%}{{'<|User|>' + message['content']}}{%- endif %}{%- if message['role'] == 'assistant' and message['content'] is none %}{{ '<|tool|>' }}{%- endif %}{%- if message['role'] == 'assistant' and message['content'] is not none %}{% set content = message['content'] %}{% if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}{{'<|Assistant|>' + content + eos_token}}{%- endif %}{%- endfor -%}{% if add_generation_prompt and not ns.is_tool %}{{'<|Assistant|><think>\\n'}}{% endif %}""",
    "granite": """{%- if messages[0]['role'] == 'system' %}
{%- set system_message = messages[0]['content'] %}
{%- set loop_messages = messages[1:] %}
{%- else %}
{%- set system_message = "Knowledge Cutoff Date: April 2024.\\nToday's Date: " + strftime_now('%B %d, %Y') + ".\\nYou are a model." %}
{%- set loop_messages = messages %}
{%- endif %}
{{- '<|start_of_role|>system<|end_of_role|>' + system_message + '<|end_of_text|>\\n' }}
{%- if tools %}
{{- '<|start_of_role|>tools<|end_of_role|>' }}{{- tools | tojson(indent=4) }}{{- '<|end_of_text|>\\n' }}
{%- endif %}
{%- for message in loop_messages %}
{{- '<|start_of_role|>' + message['role'] + '<|end_of_role|>' + message['content'] + '<|end_of_text|>\\n' }}
{%- if loop.last and add_generation_prompt %}
{{- '<|start_of_role|>assistant<|end_of_role|>' }}
{%- endif %}
{%- endfor %}""",
    "smollm3": """{# A template with marked answers. #}
{%- set flag = enable_thinking if enable_thinking is defined else true -%}
<|im_start|>system
Mode: {{ "think" if flag else "no_think" }}{% if messages[0].role == "system" %} {{ messages[0].content }}{% endif %}<|im_end|>
{% for message in messages %}
    {% if message.role == "user" %}
{{ "<|im_start|>user\\n" ~ message.content ~ "<|im_end|>\\n" }}
    {%- elif message.role == "assistant" %}
    {% generation %}
{{ "<|im_start|>assistant\\n" ~ message.content ~ "<|im_end|>\\n" }}
    {% endgeneration %}
    {%- endif %}
{% endfor %}
{%- if add_generation_prompt %}{{ "<|im_start|>assistant\\n" }}{%- endif %}
""",
}

USER = {"role": "user", "content": "  What is 2 + 2?\n"}
SYSTEM = {"role": "system", "content": "Answer briefly, 简短。"}
ANSWER = {"role": "assistant", "content": "<think>\n two \n</think>\n\n Four. "}
LATER = {"role": "user", "content": "And 3 + 3? 🙂"}
CALL = {
    "role": "assistant",
    "tool_calls": [
        {"function": {"name": "add", "arguments": {"a": 1, "b": 2.5, "c": 1.5, "d": None}}}
    ],
}
CONVERSATIONS = {
    "user": [USER],
    "system": [SYSTEM, USER],
    "turns": [USER, ANSWER, LATER],
    "system-turns": [SYSTEM, USER, ANSWER, LATER],
    "answer-last": [USER, ANSWER],
    "reasoned": [USER, {"role": "assistant", "content": "4", "thinking": "2 + 2"}],
    "call": [USER, CALL, LATER],
    "wrong-order": [ANSWER, USER],
    "parts": [
        {
            "role": "user",
            "content": [{"type": "text", "text": " one "}, {"type": "text", "text": "two"}],
        }
    ],
}
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
VARIABLES = {
    "enable_thinking": False,
    "x": 2.5,
    "small": 1e-7,
    "list": ["a", 1, 2.5, True, None, {"k": "v'\n"}],
    "text": " Ab\tc-d 😀 é\n",
    "dict": {"b": 2, "A": 1, "items": 3},
    "nothing": None,
    "yes": True,
    "no": False,
    "zero": 0,
    "words": ["b", "A", "a"],
    "people": [{"name": "Ann", "age": 3, "job": {"title": "x"}}, {"name": "Bob"}],
    "spaced": "\ufeff a\x1f\x85\u200b\u3000",
    "lines": "one\ntwo\n\nthree",
}

# Pieces of templates on which other engines than Jinja often differ; each is one case.
PIECES = [
    # What is printed.
    "{{ 1.0 }} {{ x }} {{ 1000000.0 * 1000000.0 * 100000.0 }} {{ 0.00001 }} {{ 0.0001 }} {{ 123456789012345.6 }} {{ small }} {{ 0.1 + 0.2 }} {{ 7 / 2 }} {{ 4 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 2 ** 3 }}",
    "{{ true }} {{ false }} {{ none }} {{ True }} {{ None }} {{ nothing }} {{ yes }} [{{ absent }}]",
    "{{ () }}{{ (('a')) }}{{ (yes and (no or 'b')) }}{% if(yes) %}!{% endif %}{{ ('a ' + 'b')|upper }}{{ (x, 1)[0] }}{{ (x)|string|length }}",
    "{{ list }} {{ dict }} {{ (1, 'a') }} {{ (1,) }} {{ [] }} {{ {} }} {{ ['it\\'s'] }}",
    "{{ 'a' ~ true ~ none ~ 1.0 ~ absent ~ [1] }}",
    "{{ 'a' ~ 1 + 2 ~ 'b' }}",
    "{{ 1 + 2 ~ 'b' }}",
    "{{ (1 + 2) ~ 'b' ~ 1 + 'c' ~ (2 - 1) }} {{ 3 - 1 - 1 }}",
    "{{ 'a' + 1 }}",
    "{{ 'a' + none }}",
    "{{ 'ab' * 2 }}{{ 2 * 'c' }}{{ [1] * 2 }}",
    "{{ '%s!' % 'a' }}",
    "{{ true + 1 }} {{ 1 + 1.0 }}",
    "{{ 10000000000000000 * 10 }}",
    "{{ 1 / 0 }}",
    "{{ -x }} {{ -zero }} {{ +x }} {{ - 3 }}",
    # What equals what, and what is true.
    "{{ 1 == '1' }} {{ 1 == 1.0 }} {{ true == 1 }} {{ '' == false }} {{ '' == 0 }} {{ [] == [] }} {{ [1, 'a'] == [1, 'a'] }} {{ (1,) == [1] }} {{ {'a': 1} == {'a': 1.0} }}",
    "{{ absent == none }} {{ absent != none }} {{ none == false }} {{ absent == absent }} {{ none == none }}",
    "{% if dict.absent == none %}same{% else %}other{% endif %}",
    "{% if [] %}1{% endif %}{% if {} %}2{% endif %}{% if '' %}3{% endif %}{% if 0.0 %}4{% endif %}{% if ' ' %}5{% endif %}{% if [0] %}6{% endif %}{% if absent %}7{% endif %}",
    "{{ 'a' in 'abc' }} {{ 1 in [1.0] }} {{ 'b' in dict }} {{ 'z' not in dict }} {{ none in list }} {{ 'a' in absent }} {{ '' in 'a' }}",
    "{{ 1 in 'a1' }}",
    "{{ 'a' < 'B' }} {{ 1 < 1.5 }} {{ 'é' > 'z' }} {{ '😀' > '\uff5e' }}",
    "{{ 1 < 'a' }}",
    "{{ 1 < 2 < 2 }} {{ 1 < 2 == 2 }} {{ (1 < 2) == 2 }} {{ 2 in [1, 2] == true }} {{ 3 > 2 > 1 != 0 }}",
    "{{ (1 == 1) == true }}",
    "{{ '' or 'b' }} {{ 0 and 1 }} {{ 'a' and 'b' }} {{ not '' }} {{ not 1 == 2 }}",
    "{{ 'a' if no }}|{{ 'a' if yes }}|{{ 'a' if no else 'b' if no else 'c' }}",
    # Undefined values.
    "{{ absent.a }}",
    "{{ absent['a'] }}",
    "{{ dict.absent }}[{{ dict['absent'] }}]{{ dict.absent.more }}",
    "{{ nothing.a }}[{{ none.a is defined }}]",
    "{{ absent + 'a' }}",
    "{{ absent() }}",
    "{% for a in absent %}x{% else %}none{% endfor %}",
    "{% for a in none %}x{% endfor %}",
    "{{ absent|length }} {{ absent|default('d') }} {{ none|default('d') }} {{ none|default('d', true) }} {{ ''|d('e', boolean=true) }} {{ absent|d }}",
    "{{ absent|upper }}|{{ absent|trim }}|{{ absent|join(',') }}|{{ absent|list }}",
    "{{ absent|tojson }}",
    "{{ nothing|trim }} {{ nothing|upper }} {{ 1.0|string }} {{ true|string }}",
    "{{ 'abc'[5] }}|{{ [1][5] is defined }}|{{ [1, 2][-1] }}|{{ 'abc'[-1] }}|{{ '😀b'[1] }}",
    "{{ 'abc'['x'] }}|{{ 'abc'.x is defined }}|{{ 'abc'.text }}",
    # Texts.
    "[{{ text|trim }}] [{{ text.strip() }}] {{ text|length }} {{ '😀'|length }}",
    "{{ '\\n\\n a \\n'.strip('\\n') }}|{{ 'xxaxx'.lstrip('x') }}|{{ 'abcb'.rstrip('bc') }}|{{ 'xax'|trim('x') }}",
    "{{ spaced|trim|length }} {{ spaced.split()|length }}",
    "{{ 'hELLO wORLD-x (y'|capitalize }}|{{ 'hELLO wORLD-x (y'|title }}|{{ \"they're bill's\".title() }}|{{ 'hELLO'.capitalize() }}",
    "{{ 'a,b,,c'.split(',') }} {{ ' a  b '.split() }} {{ 'a b c'.split(' ', 1) }} {{ ' a b  c '.split(none, 1) }} {{ 'a,b,c'.rsplit(',', 1) }}",
    "{{ 'aXbX'.replace('X', '-') }} {{ 'aaa'.replace('a', 'b', 2) }} {{ 'ab'|replace('', '.') }} {{ 'a.b'|replace('.', '$&') }} {{ 1|replace(1, 'x') }}",
    "{{ 'abc'.startswith('ab') }} {{ 'abc'.endswith(('x', 'c')) }} {{ 'abc'.startswith('b', 1) }}",
    "{{ ', '.join(['a', 'b']) }} {{ 'a-b'.find('-') }} {{ 'abab'.count('ab') }} {{ 'xa'.removeprefix('x') }}{{ 'ax'.removesuffix('x') }}",
    "{{ ','.join([1]) }}",
    "{{ 'a\\u00e9\\x41\\t\"' }}",
    "{{ 'a' 'b' }}",
    "{{ lines.splitlines() }}|{{ lines|indent }}|{{ lines|indent(2, true, true) }}|{{ lines|indent(width='> ') }}",
    "{{ 'a'.isdigit() }}",
    "{{ 'ß'|upper }} {{ 'ΑΣ'|lower }} {{ 'İ'|lower|length }}",
    "{{ '{0}'.format(1) }}",
    "{{ 'abc'|reverse }} {{ [1, 2]|reverse|list }} {{ 'abc'|first }}{{ 'abc'|last }} {{ 'abc'|list }} {{ 'abc'|join('-') }}",
    "{{ []|first }}|{{ []|last }}",
    # Lists and mappings.
    "{{ [1, true, none, 2.0, 'a']|join(', ') }} {{ people|join(', ', attribute='name') }} {{ [1, 2]|join }}",
    "{{ [1,2,3,4][1:3] }} {{ [1,2,3,4][::-1] }} {{ [1,2,3,4][-2:] }} {{ [1,2,3,4][:-1:2] }} {{ [1,2,3,4][2:-1:-1] }} {{ [1,2,3,4][3:0:-2] }} {{ 'a😀cd'[1:3] }} {{ (1,2,3)[:2] }} {{ [1,2,3][1:99] }} {{ [1,2][none:1] }}",
    "{{ [1,2][::0] }}",
    "{{ dict.get('b') }} {{ dict.get('z') }} {{ dict.get('z', 'q') }} {{ dict['items'] }} {{ dict|length }}",
    "{% for k, v in dict.items() %}{{ k }}={{ v }};{% endfor %}{% for k in dict %}{{ k }}{% endfor %}{% for k, v in dict|items %}{{ k }}{% endfor %}",
    "{{ dict.keys()|list }} {{ dict.values()|list }} {{ dict|list }}",
    "{{ dict.items() }}",
    "{{ words|sort }} {{ words|sort(reverse=true) }} {{ words|sort(case_sensitive=true) }} {{ words|unique|list }} {{ people|sort(attribute='name', reverse=true)|map(attribute='name')|list }}",
    "{{ people|map(attribute='age', default=0)|list }} {{ ['a', 'b']|map('upper')|list }} {{ people|map(attribute='job.title')|list }}",
    "{{ people|selectattr('age')|list|length }} {{ people|selectattr('age', 'defined')|map(attribute='name')|list }} {{ people|rejectattr('age', 'defined')|map(attribute='name')|list }} {{ people|selectattr('name', 'equalto', 'Bob')|list }} {{ [1, 0, 2]|select|list }} {{ [1, 2, 3]|select('odd')|list }} {{ [1, 2]|reject('odd')|first }}",
    "{% if people|selectattr('age', 'undefined') %}true{% endif %}",
    "{{ people|selectattr('age')|length }}",
    "{{ (people|selectattr('age'))[0] }}",
    "{% set m = people|map(attribute='name') %}{{ m|join(',') }}{{ m|join(',') }}",
    "{{ [[1, 2], [3]] + [[4]] }} {{ (1,) + (2,) }}",
    "{{ [3, 1]|sum }}",
    "{{ [3, 1]|max }}",
    "{{ range(3)|list }} {{ range(1, 6, 2)|list }} {{ range(3, 0, -1)|list }} {{ range(3)[1] }} {{ range(0)|length }}",
    "{{ range(100001)|length }}",
    "{{ words.append('c') }}",
    "{{ dict.update({'c': 1}) }}",
    "{% set d = dict(a=1) %}{{ d }}{{ dict.a }}",
    # JSON.
    "{{ list|tojson }} {{ dict|tojson }} {{ x|tojson }} {{ 1.0|tojson }} {{ small|tojson }} {{ 'é\\u2028\"</a>&'|tojson }} {{ (1, 2)|tojson }} {{ none|tojson }} {{ '\\x7f\\x01'|tojson }}",
    "{{ list|tojson(indent=2) }} {{ {}|tojson(indent=2) }} {{ [[]]|tojson(indent=4) }} {{ dict|tojson(sort_keys=true) }} {{ 'é😀'|tojson(ensure_ascii=true) }} {{ dict|tojson(separators=(',', ':')) }} {{ [1, [2]]|tojson(indent=0) }}",
    "{{ 'é'|tojson(true) }}",
    "{{ dict.items()|tojson }}",
    "{{ list|tojson|safe }}",
    "{{ ('<'|safe) + '<' }}",
    # Numbers.
    "{{ '12'|int }} {{ ' 12 '|int }} {{ '12abc'|int }} {{ '1.9'|int }} {{ -1.9|int }} {{ 'x'|int(7) }} {{ true|int }} {{ '1.5'|float }} {{ 'x'|float }} {{ 2|float }} {{ -2|abs }} {{ '1_000'|int }}",
    "{{ 3 is odd }} {{ -3 is odd }} {{ 2 is even }} {{ true is number }} {{ true is integer }} {{ 1.0 is float }} {{ 1 is float }} {{ 1 is number }}",
    "{{ 6 is divisibleby(3) }}",
    "{{ 'a' is in ['a'] }}",
    "{{ 1 is sameas 1 }}",
    # Tests.
    "{{ 'a' is string }} {{ [] is string }} {{ dict is mapping }} {{ [] is iterable }} {{ dict is iterable }} {{ 1 is iterable }} {{ absent is iterable }} {{ none is iterable }} {{ (1,) is sequence }} {{ dict is sequence }} {{ 'a' is sequence }} {{ absent is sequence }} {{ range(2) is sequence }}",
    "{{ absent is defined }} {{ none is defined }} {{ none is none }} {{ absent is none }} {{ absent is undefined }} {{ dict.z is not defined }} {{ true is true }} {{ 1 is true }} {{ false is false }} {{ true is boolean }} {{ 1 is boolean }} {{ range is callable }}",
    "{{ 'ab' is lower }} {{ 'AB' is upper }} {{ '1' is lower }} {{ 'Ab' is lower }}",
    # Loops and scopes.
    "{% for i in [1, 2, 3] %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}{{ loop.depth0 }}[{{ loop.previtem }}{{ loop.nextitem }}]{{ loop.cycle('a', 'b') }}{{ loop.changed(i // 2) }} {% endfor %}",
    "{% for i in [1, 2] %}{% if loop.first %}{% set a = 'set' %}{% endif %}[{{ a }}]{% endfor %}[{{ a }}]",
    "{% set a = 1 %}{% for i in [1, 2] %}{{ a }}{% set a = a + 1 %}{{ a }} {% endfor %}{{ a }}",
    "{% for i in [1, 2, 3] %}a{% if i == 2 %}b{% continue %}{% endif %}{{ i }}{% endfor %}",
    "{% for i in [1, 2, 3] %}a{% if i == 2 %}b{% break %}{% endif %}{{ i }}{% else %}none{% endfor %}",
    "{% for i in [1] %}{% continue %}{% else %}none{% endfor %}",
    "{% for i in [1] %}a{% break %}{% else %}none{% endfor %}",
    "{% for i in [] %}a{% else %}none{% endfor %}",
    "{% for i in [1, 2, 3, 4] if i is odd %}{{ i }}{{ loop.last }} {% endfor %}",
    "{% for a, b in [(1, 2), [3, 4], 'xy'] %}{{ a }}{{ b }} {% endfor %}",
    "{% for a, b in [(1, 2, 3)] %}{{ a }}{% endfor %}",
    "{% for c in 'a😀' %}{{ c }}.{% endfor %}",
    "{% for i in [1, 2] %}{% for j in [1, 2] %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}[{{ loop }}]",
    "{% for i in (1, 2) %}{{ i }}{% endfor %}",
    "{% for i in [[1, [2]]] recursive %}{{ i }}{% endfor %}",
    "{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}[{{ ns.z }}]{{ ns['n'] }}",
    "{% set ns = namespace(_a=1) %}",
    "{% set ns = namespace() %}{% set ns._a = 1 %}",
    "{% set dict.a = 1 %}",
    "{% for i in [1] %}{% set loop.index = 3 %}{% endfor %}",
    "{% set a, b = 1, 'x' %}{{ a }}{{ b }}",
    "{% set a %}in {{ x }}{% set c = 1 %}{% endset %}{{ a|upper }}[{{ c }}]",
    "{% filter upper %}ab{% set c = 1 %}{% endfilter %}[{{ c }}]",
    "{% if yes %}{% set q = 1 %}{% endif %}{{ q }}",
    "{{ break }}|{% break %}",
    # Macros.
    "{% macro m(a, b='d', c) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}",
    "{% macro m(a, b='d') %}[{{ a }}{{ b }}{{ i }}]{% endmacro %}{% for i in [1] %}{{ m(i) }}{{ m(b=i, a='x') }}{{ m() }}{% endfor %}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(z=2) }}",
    "{% macro m() %}{{ later }}{% set inner = 1 %}{% endmacro %}{% set later = 'L' %}{{ m() }}[{{ inner }}]{{ m()|length }}",
    "{% macro m(t) %}<{{ caller(t) }}>{% endmacro %}{% call(u) m('a') %}{{ u }}!{{ x }}{% endcall %}",
    "{% macro m(n) %}{{ n }}{% if n > 0 %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(3) }}",
    "{% macro m(a) %}{{ a is none }}{{ a }}{% endmacro %}{{ m(none) }}{{ m(a=none) }}",
    "{% macro m() %}{{ varargs }}{% endmacro %}{{ m(1) }}",
    "{{ m() }}{% macro m() %}a{% endmacro %}",
    # White space.
    "a\n  {% if yes %}\n    b\n  {% endif %}\nc\n",
    "a\n  {{ x }}\n  {# note #}\nb\n\n",
    "a  {%- if yes -%}  b  {%- endif -%}  c",
    "  {%+ if yes %} a {% endif %}",
    "{% if yes +%}\na{% endif %}",
    "a\r\n{% if yes %}\r\n b\r\n{% endif %}\r\nc",
    "{{ '%}' }}a",
    "{ {- a",
    "  {- a",
    "{{- 'a' -}}\n\n b {{- 'c' }}\n",
    "{#- a -#}  b",
    "a {% raw %}{{ b }}{% endraw %}",
    "{% set a = {'b': {'c': 1}} %}{{ a.b.c }}{{ {'a': 1}['a'] }}",
    # Marked answers.
    "a\n  {% generation %}\n  b{% set c = 1 %}\n  {% endgeneration %}\n[{{ c }}]",
    "a  {%- generation -%}  b  {%- endgeneration -%}  c",
    "{% for m in [1, 2] %}{% generation %}{{ loop.index }}{{ m }}{% endgeneration %}{% endfor %}",
    # Functions.
    "{{ strftime_now('%Y-%m-%d %H:%M:%S %B %b %A %a %j %y %I %p %% %-d %e %F') }}",
    "{{ strftime_now('%c') }}",
    "{{ raise_exception('No: ' ~ 1) }}",
    "{{ joiner(',')() }}",
    "{% include 'a' %}",
    "{% with a = 1 %}{{ a }}{% endwith %}",
    "{% do words %}",
    "{{ x|unknown }}",
    "{{ x is unknown }}",
    "{{ ''.__class__ }}",
    "{{ bos_token }}{{ eos_token }}{{ pad_token }}[{{ unk_token }}]",
    "{{ tools is none }}{{ documents is none }}",
    "{{ messages[0].role }}{{ messages[0]['content'] }}{{ add_generation_prompt }}",
    "{{ 'a' if x else",
    # Attributes by their place, in filters.
    "{{ [[3, 'c'], [1, 'a'], [2, 'b']]|sort(attribute=0)|map(attribute=1)|join }} {{ [(3, 'c'), (1, 'a')]|sort(attribute='0')|map(attribute='1')|join }} {{ ['ba', 'ab']|sort(attribute=1)|join(',') }} {{ [[1], [2, 3]]|map(attribute=1)|list }}",
    "{{ people|map|list }}",
    "{{ people|map(1)|list }}",
    "{{ people|selectattr|list }}",
    "{{ people|map('upper', attribute='name')|list }}",
    "{{ people|sort(attribute='job.title')|length }}",
    "{{ ['b', 1]|sort }}",
    "{{ ['b', 'A', 'B']|sort|join }} {{ [2, 1.5, true]|sort }}",
    "{{ [[1]]|unique|list }}",
    "{{ [1, 1.0, 'a', 'A', true]|unique|list }}",
    # Orders, equalities and kinds of values.
    "{{ [1, 2, 3, 4]|select('gt', 2)|list }} {{ [1, 2, 3]|select('lessthan', 2)|list }} {{ [1, 2, 3]|select('>=', 2)|list }} {{ [1, 2, 3]|select('<=', 2)|list }} {{ [1, 2, 3]|select('ne', 2)|list }} {{ [1, 2]|select('greaterthan', 1)|list }} {{ ['a', 'b']|select('in', 'abc')|list }}",
    "{{ [1, 2]|select('lt', 2)|list }} {{ [1, 2]|select('le', 1)|list }} {{ [1, 2]|select('ge', 2)|list }} {{ [1, 2]|select('<', 1)|list }} {{ [1, 2]|select('>', 2)|list }}",
    "{{ {'a': 1} == {'a': 1, 'b': 2} }} {{ {'a': 1} == {'b': 1} }} {{ {} == [] }} {{ (1, 2) == (1, 2) }} {{ [1] == [1, 2] }} {{ [none] == [none] }}",
    "{{ absent < 1 }}",
    "{{ 1 < absent }}",
    "{{ 'ab' < 'abc' }} {{ 'abc' < 'ab' }} {{ 'ab' < 'ab' }} {{ '' < 'a' }}",
    "{{ (1, 2) < (1, 3) }}",
    "{% if () %}1{% else %}2{% endif %}{% if (0,) %}1{% else %}2{% endif %}{% if range(0) %}1{% else %}2{% endif %}{% if dict.keys() %}1{% else %}2{% endif %}",
    "{{ 'a' + 1.5 }}",
    "{{ 'a' + true }}",
    "{{ 'a' + (1,) }}",
    "{{ 'a' + range(2) }}",
    "{{ 'a' - absent }}",
    "{{ [1] - 1 }}",
    # Texts with arguments that are not the usual ones.
    "{{ 'a.b.c'.rsplit('.') }} {{ 'a.b.c'.rsplit('.', 5) }} {{ 'a.b.c'.rsplit('.', 0) }} {{ 'a.b.c'.split('.', 0) }} {{ 'a.b'.split(sep='.') }}",
    "{{ 'a b'.split(1) }}",
    "{{ 'a b'.split('') }}",
    "{{ 'a b c'.rsplit() }}",
    "{{ 'abc'.find('z') }} {{ '😀b'.find('b') }} {{ 'aXbX'.find('X') }} {{ 'abc'.count('') }} {{ 'abc'.count('z') }} {{ 'abc'.removeprefix('z') }} {{ 'abc'.removesuffix('z') }} {{ 'abc'.removesuffix('') }}",
    "{{ 'Ab'.upper() }}{{ 'Ab'.lower() }} {{ 'two  words'.title() }}",
    "{{ 'a'.upper(1) }}",
    "{{ 'a'.strip(1) }}",
    "{{ 'x'|count }}{{ [1, 2]|count }} {{ '12.75'|float }} {{ 1.5|abs }} {{ -1.5|abs }} {{ nothing|float }} {{ absent|int }}",
    "{{ '0x1F'|int(base=16) }}",
    "{{ ''.join('abc') }} {{ '-'.join(dict) }} {{ '-'.join(range(0)) }}",
    # What is written of rarer values.
    "{{ [-0.0, 123456789.0, 0.00000015, 10000000000000000000000.0] }}",
    "{{ [1e2] }}",
    "{{ [1_000] }}",
    "{{ [0x1F] }}",
    "{{ 1if yes else 2 }}",
    "{{ [10000000000.0 ** 40] }}",
    "{{ ['a\\\\b', '\\u200b', '\\x00', 'é', '😀', '\\u2028', \"it's\", 'say \"it\\'s\"', '\\t\\n\\r'] }}",
    "{{ [absent] }} {{ (absent, none) }}",
    # Mappings from pairs and from others, and loops over their parts.
    "{{ dict([('a', 1), ['b', 2]]) }}",
    "{% set made = namespace(dict, c=4) %}{{ made.c }}{{ made.b }}",
    "{{ absent|items|list }}",
    "{{ [1]|items|list }}",
    "{{ dict[1] is defined }} {{ dict[none] is defined }}",
    "{{ 1[0] is defined }}",
    "{{ 1[:1] }}",
    "{{ {1: 'one'}[1] }} {{ {1.5: 'a'} }}",
    "{{ range(1, 2, 0)|list }}",
    "{{ range(*[1, 3])|list }} {{ range(1, 3)[-1] }}",
    "{% for i in [1, 2, 3] %}{{ loop.cycle() }}{% endfor %}",
    "{% for i in [1, 2, 3, 4] %}{{ loop.cycle('a', 'b', 'c') }}{% endfor %}",
    "{% set true = 1 %}{{ true }}",
    "{% set (a, b) = 'xy' %}{{ a }}{{ b }}",
    "{% set a, b = [1] %}{{ a }}",
    "{{ dict._hidden is defined }}{{ dict['_hidden'] is defined }}",
    "{% for i in [] %}{% else %}{% break %}{% endfor %}a",
    # Times after noon.
    "{{ strftime_now('%-m %-H %-I %-j %-S') }}",
    "{{ strftime_now('%-B') }}",
]


def tokenizer_of(template, **tokens):
    """A tokenizer that reads bytes and a few special tokens, and begins each text with `<s>`."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {token: at for at, token in enumerate(["<s>", "</s>", "<pad>", *letters])}
    made = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    names = ["<|im_start|>", "<|im_end|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
    made.add_special_tokens(
        [AddedToken(name, special=True) for name in ["<s>", "</s>", "<pad>", *names]]
    )
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A $B:1", special_tokens=[("<s>", 0)]
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tokenizer.json").write_text(made.to_str())
        settings = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "chat_template": template,
            **TOKENS,
            **tokens,
        }
        (Path(folder) / "tokenizer_config.json").write_text(json.dumps(settings))
        return transformers.AutoTokenizer.from_pretrained(folder), made.to_str()


class Frozen(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW


def text_of(tokenizer, template, messages, **variables):
    """The text of a template, or the kind of error that it ends with."""
    try:
        text = tokenizer.apply_chat_template(
            messages, chat_template=template, tokenize=False, **variables
        )
    except jinja2.exceptions.TemplateError as error:
        return (
            {"refused": str(error)}
            if type(error) is jinja2.exceptions.TemplateError
            else {"error": type(error).__name__}
        )
    except Exception as error:
        return {"error": type(error).__name__}
    return {"text": text}


def main():
    assert transformers.__version__ == "5.24.0" and jinja2.__version__ == "3.1.6"
    chat_template_utils.datetime = Frozen
    tokenizer, json_text = tokenizer_of(TEMPLATES["chatml"])
    cases = []
    for name, template in TEMPLATES.items():
        for conversation, messages in CONVERSATIONS.items():
            for begins in [True, False]:
                for variables in (
                    [{}, {"enable_thinking": False}] if "enable_thinking" in template else [{}]
                ):
                    made = text_of(
                        tokenizer, template, messages, add_generation_prompt=begins, **variables
                    )
                    cases.append(
                        {
                            "template": name,
                            "conversation": conversation,
                            "begins": begins,
                            "variables": variables,
                            **made,
                        }
                    )
    pieces = [
        {"piece": piece, **text_of(tokenizer, piece, [USER], **VARIABLES)} for piece in PIECES
    ]
    read = []
    for name in ["chatml", "llama3", "mistral"]:
        one, _ = tokenizer_of(TEMPLATES[name])
        messages = CONVERSATIONS["system-turns"]
        ids = one.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
        read.append({"template": name, "conversation": "system-turns", "ids": list(ids)})
    answer = {
        "now": NOW.isoformat(),
        "tokens": TOKENS,
        "variables": VARIABLES,
        "templates": TEMPLATES,
        "conversations": CONVERSATIONS,
        "cases": cases,
        "pieces": pieces,
        "tokenizer": json.loads(json_text),
        "read": read,
    }
    (HERE / "chat_templates.json").write_text(
        json.dumps(answer, ensure_ascii=False, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
