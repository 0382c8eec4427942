package index_test

import (
	"strings"
	"testing"
)

// TestScripts searches for names and comments of many scripts, each as a person may type
// it. All of them are in one project, so that a wrong match would be first.
func TestScripts(t *testing.T) {
	p := open(t, map[string]string{
		"russian.py":    "def загрузить_настройки():\n    pass # Ёлка читает пароли из файла\n",
		"greek.py":      "def φόρτωσεΡυθμίσεις():\n    pass # Ο Οδυσσεύς ταξιδεύει\n",
		"german.py":     "def straße_prüfen():\n    pass # Öffnet den Schlüsselbund\n",
		"turkish.py":    "def kapıyı_aç():\n    pass # Işık kapalı, İstanbul açık\n",
		"spanish.py":    "def validar_contrasena():\n    pass # La función validará el número\n",
		"vietnamese.py": "def đọc_tệp():\n    pass # Kiểm tra mật khẩu\n",
		"decomposed.py": "def pass_e\u0301le\u0301ve():\n    pass # Le the\u0301a\u0302tre de l'e\u0301cole\n",
		"arabic.py":     "def تحميل_الإعدادات():\n    pass # كَلِمَةُ المرور صحيحة\n",
		"persian.py":    "def باز_کردن():\n    pass # پرونده را می\u200cخواند\n",
		"hebrew.py":     "def טעינת_הגדרות():\n    pass # בודק סיסמה שָׁלוֹם\n",
		"hindi.py":      "def विद्यार्थी_सूची():\n    pass # पासवर्ड की जाँच\n",
		"thai.py":       "def โหลดการตั้งค่า():\n    pass # ตรวจสอบรหัสผ่านของผู้ใช้\n",
		"khmer.py":      "def m():\n    pass # ពិនិត្យពាក្យសម្ងាត់\n",
		"chinese.py":    "def 用户登录():\n    pass # 检查密码是否正确, 使用Redis缓存\n",
		"single.py":     "def m():\n    pass # 锁 mutex\n",
		"japanese.py":   "def 設定を読む():\n    pass # ｶﾞｲﾄﾞのカーソルを消す\n",
		"korean.py":     "def 설정불러오기():\n    pass # 비밀번호를 확인합니다\n",
		"jamo.py":       "def m():\n    pass # \u1109\u1165\u110b\u116e\u11af\u110b\u1175\u11ab\u1109\u1161\n",
		"wide.py":       "def m():\n    pass # ＺＩＰファイル\n",
		"symbols.py":    "def m():\n    pass # ❤\ufe0f gizmo\n",
	})
	p.update()
	for file, queries := range map[string][]string{
		"russian.py":    {"загрузить_настройки", "ЗАГРУЗИТЬ НАСТРОЙКИ", "читает пароли", "елка"},
		"greek.py":      {"φόρτωσεΡυθμίσεις", "ρυθμίσεις", "ΡΥΘΜΙΣΕΙΣ", "οδυσσευς", "ΟΔΥΣΣΕΥΣ"},
		"german.py":     {"straße_prüfen", "STRASSE", "Strasse", "STRAẞE", "pru\u0308fen", "SCHLÜSSELBUND"},
		"turkish.py":    {"kapıyı_aç", "KAPIYI", "IŞIK", "istanbul", "İSTANBUL"},
		"spanish.py":    {"contraseña", "funcion", "NÚMERO", "nu\u0301mero"},
		"vietnamese.py": {"tệp", "te\u0323\u0302p", "mật khẩu"},
		"decomposed.py": {"pass_élève", "élève", "théâtre", "THÉÂTRE"},
		"arabic.py":     {"تحميل_الإعدادات", "الاعدادات", "كلمة"},
		"persian.py":    {"باز_کردن", "می\u200cخواند", "میخواند"},
		"hebrew.py":     {"טעינת_הגדרות", "שלום"},
		"hindi.py":      {"विद्यार्थी_सूची", "विद्यार्थी", "पासवर्ड", "जाँच"},
		"thai.py":       {"โหลดการตั้งค่า", "รหัสผ่าน"},
		"khmer.py":      {"ពាក្យសម្ងាត់"},
		"chinese.py":    {"用户登录", "登录", "密码 正确", "怎么检查密码?", "redis缓存"},
		"single.py":     {"锁"},
		"japanese.py":   {"設定", "ガイド", "カ\u3099イド", "カーソルはどこで消すのか", "ｶｰｿﾙ"},
		"korean.py":     {"설정불러오기", "비밀번호 확인", "\u1107\u1175\u1106\u1175\u11af\u1107\u1165\u11ab\u1112\u1169"},
		"jamo.py":       {"서울인사"},
		"wide.py":       {"zip", "ｚｉｐ"},
		"symbols.py":    {"gizmo ❤\ufe0f"},
	} {
		for _, query := range queries {
			found := p.search(query)
			if len(found) == 0 || !strings.HasPrefix(found[0], file+" ") && found[0] != file {
				t.Errorf("for %q found %q, want %s first", query, found, file)
			}
		}
	}
}
